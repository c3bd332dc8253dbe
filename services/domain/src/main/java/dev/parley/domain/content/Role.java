package dev.parley.domain.content;

/** The author of a message in a model's context. The ordinals are used in stored documents: never reorder. */
public enum Role {
    USER,
    ASSISTANT,
    TOOL
}
