"""The four releases of a diffusion model in the shared folder, as pools; half of the people outside are reference."""

import numpy as np
import polars as pl

from seethrough.auditing.evidence.pool import Pool
from seethrough.bench.bench import Bench
from seethrough.bench.pool import Seen
from seethrough.data.rows import stack_tables
from seethrough.data.schema import Column, Kind, Schema
from seethrough.data.table import Table
from seethrough.kernels.budget import Budget

CATEGORIES = ("trans_type", "operation", "k_symbol", "bank")


def tables(folder, model):
    """Members, people outside and released rows; challenge rows are taken out of the first two."""
    read = {
        name: pl.read_parquet(folder / "data" / "midst" / f"model_{model:02d}" / f"{name}.parquet")
        for name in ("members", "outside", "synthetic", "challenge")
    }
    names = read["synthetic"].columns
    challenge = read["challenge"].select(names).unique()
    frames = [
        read[name].select(names).join(challenge, on=names, how="anti", nulls_equal=True)
        for name in ("members", "outside")
    ]
    frames.append(read["synthetic"])
    columns, arrays = [], [[], [], []]
    for name in names:
        values = [frame[name] for frame in frames]
        if name in CATEGORIES:
            texts = [part.cast(pl.String) for part in values]
            levels = pl.concat(texts).drop_nulls().unique().sort().to_list()
            columns.append(Column(name, Kind.CATEGORICAL, levels=tuple(levels)))
            numbers = {level: number for number, level in enumerate(levels, 1)}
            coded = [np.array([numbers.get(text, 0) for text in part.to_list()], np.uint8) for part in texts]
        else:
            columns.append(Column(name, Kind.NUMERIC, low=0.0, high=1.0, fill=0.0))
            coded = [part.cast(pl.Float64).fill_null(np.nan).to_numpy() for part in values]
        for some, part in zip(arrays, coded, strict=True):
            some.append(part)
    return [Table(Schema(tuple(columns)), tuple(some)) for some in arrays]


def pool(folder, model, threads=2):
    """Half of the people outside are the reference, drawn by a seed of their own."""
    members, outside, release = tables(folder, model)
    rng = np.random.default_rng(model)
    outside = outside.take(rng.permutation(len(outside)))
    half = len(outside) // 2
    reference, rated = outside.take(np.arange(half)), outside.take(np.arange(half, len(outside)))
    people = stack_tables([members, rated])
    order = rng.permutation(len(people))
    everybody = np.arange(len(people))
    shown = {Seen.PEOPLE: people.take(order), Seen.RELEASE: release, Seen.REFERENCE: reference}
    return Pool(Bench(shown, Budget(threads=threads)), (everybody < len(members))[order], everybody, everybody, half)
