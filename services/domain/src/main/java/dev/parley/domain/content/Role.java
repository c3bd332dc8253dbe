package dev.parley.domain.content;

/** Who speaks in what a model is shown. The ordinals are the wire numbers of founding documents: never reorder. */
public enum Role {
    USER,
    ASSISTANT,
    TOOL
}
