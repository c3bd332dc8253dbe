package dev.parley.domain.protocol;

/**
 * Something that a person can choose, such as by a button.
 *
 * @param label the words on it
 * @param action what is done when it is chosen, such as {@code model}
 * @param value what it is done with
 */
public record Choice(String label, String action, String value) {
    /** The action that answers whether a tool call may be carried out: the first letter of the answer, and the id. */
    public static final String APPROVAL = "approve";

    /** The action that answers a task of a workflow: its id, and the place of the option. */
    public static final String TASK = "task";
}
