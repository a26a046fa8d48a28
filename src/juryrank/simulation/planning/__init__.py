"""What will it cost? `plan` for judges with accuracies, `people` for panels."""
