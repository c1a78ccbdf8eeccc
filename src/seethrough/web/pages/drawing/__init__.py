"""Pictures that only the interactive tool draws: shares of a guess, the ROC curve, the map."""
