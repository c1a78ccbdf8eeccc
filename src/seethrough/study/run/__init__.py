"""Running a plan: workers, clusters, progress."""
