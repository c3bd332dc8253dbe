package dev.parley.domain.memory.prompt;

/**
 * What a model is asked.
 *
 * @param system what it is to do: written by Parley and by those who may set up the bank, by nobody else
 * @param user what it is to do it with
 */
public record Prompt(String system, String user) {}
