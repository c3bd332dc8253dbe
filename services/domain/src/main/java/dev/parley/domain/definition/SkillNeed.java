package dev.parley.domain.definition;

/**
 * Another skill that one builds on.
 *
 * @param required whether it cannot be loaded without it; else it comes along if there is room
 */
public record SkillNeed(String skill, boolean required) {}
