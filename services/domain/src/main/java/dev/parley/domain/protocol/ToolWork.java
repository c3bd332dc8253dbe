package dev.parley.domain.protocol;

/** Records on {@code tool-requests}. */
public sealed interface ToolWork permits ToolRequest, CancelCall, SettleCall {}
