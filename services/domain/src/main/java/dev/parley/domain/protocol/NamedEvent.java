package dev.parley.domain.protocol;

/** What happened, where that has a name in the field: it stands as {@code ce_type} on the topic, instead of the record's own. */
public interface NamedEvent {
    /** The type as CloudEvents has it, such as {@code io.serverlessworkflow.task.completed.v1}. */
    String eventType();
}
