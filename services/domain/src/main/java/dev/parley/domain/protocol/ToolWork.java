package dev.parley.domain.protocol;

/** What stands on {@code tool-requests}. */
public sealed interface ToolWork permits ToolRequest, CancelCall, SettleCall {}
