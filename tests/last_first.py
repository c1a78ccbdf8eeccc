"""An executor of passes for tests: chunks by themselves, as workers have them, merged in another order."""


class LastFirst:
    """Computes every chunk without a hint, the last one first, and merges states two by two."""

    def fold(self, chunks, each):
        states = [each.partial(chunk.read(), chunk.before, None) for chunk in reversed(chunks.list_chunks())]
        while len(states) > 1:
            states = [
                each.merge(*states[at : at + 2]) if at + 1 < len(states) else states[at]
                for at in range(0, len(states), 2)
            ]
        return states[0]
