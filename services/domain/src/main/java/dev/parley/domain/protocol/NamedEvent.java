package dev.parley.domain.protocol;

/** An event with a name defined elsewhere, published as {@code ce_type} instead of the record's name. */
public interface NamedEvent {
    /** The CloudEvents type, such as {@code io.serverlessworkflow.task.completed.v1}. */
    String eventType();
}
