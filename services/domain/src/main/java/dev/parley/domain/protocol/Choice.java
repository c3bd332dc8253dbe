package dev.parley.domain.protocol;

/**
 * A choice offered to a user, such as a button.
 *
 * @param label the button's text
 * @param action performed when chosen, such as {@code model}
 * @param value argument of the action
 */
public record Choice(String label, String action, String value) {
    /** The action that answers an approval; the value is the first letter of the answer, and the approval's id. */
    public static final String APPROVAL = "approve";

    /** The action that answers a workflow task; the value is the task's id, and the option's index. */
    public static final String TASK = "task";

    /** The action that opens the form of a workflow task; the value is the task's id. */
    public static final String FORM = "form";
}
