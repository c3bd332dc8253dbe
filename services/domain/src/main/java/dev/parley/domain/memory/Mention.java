package dev.parley.domain.memory;

import java.util.UUID;

/**
 * That a unit is about a person or thing.
 *
 * @param entity id of the person or thing in its bank
 * @param name by which the bank knows it: the fullest one that was written
 */
public record Mention(UUID entity, String name) {}
