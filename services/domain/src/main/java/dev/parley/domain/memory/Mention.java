package dev.parley.domain.memory;

import java.util.UUID;

/**
 * That a unit is about a person or thing.
 *
 * @param entity id of the person or thing in its bank
 * @param name that the unit calls it: a bank knows it by the fullest that any of its units has
 */
public record Mention(UUID entity, String name) {}
