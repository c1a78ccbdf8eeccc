"""The kernels on an accelerator, by torch; who reads how things are computed on the processor can leave them out."""
