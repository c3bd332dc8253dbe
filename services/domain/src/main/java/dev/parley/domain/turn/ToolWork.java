package dev.parley.domain.turn;

/** What stands on {@code tool-requests}. */
public sealed interface ToolWork permits ToolRequest, CancelCall {}
