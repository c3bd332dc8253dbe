package dev.parley.domain.permission;

/**
 * The argument that permission rules match.
 *
 * @param kind interpretation of the argument
 * @param argument its name
 */
public record About(Subject.Kind kind, String argument) {}
