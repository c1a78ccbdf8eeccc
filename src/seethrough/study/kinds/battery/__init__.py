"""All attacks on releases of many generators as a study: which attack finds most, and at what cost."""
