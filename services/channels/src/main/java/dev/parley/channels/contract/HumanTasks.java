package dev.parley.channels.contract;

import dev.parley.channels.chat.ChatForm;
import dev.parley.channels.contract.Intake.UnavailableException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Human tasks of workflows that users are asked in private chats. */
public interface HumanTasks {
    /**
     * A question to a user.
     *
     * @param reply id of the reply that asks
     * @param project key of the project of its process
     * @param order number of the task in its process
     * @param question JSON: prompt, mode, options and so on
     */
    record TaskQuestion(UUID reply, UUID task, String project, UUID process, long order, String question) {}

    sealed interface AnswerResult {
        /** It was accepted. */
        record Taken() implements AnswerResult {}

        /** It does not match the question, so the question is repeated. */
        record Invalid(String reason) implements AnswerResult {}

        /** It was refused. */
        record Refused(String reason) implements AnswerResult {}

        /** The task is closed. */
        record Over() implements AnswerResult {}

        /** The user may not answer it. */
        record Forbidden() implements AnswerResult {}

        /** No result in time. */
        record Late() implements AnswerResult {}
    }

    /**
     * The question of a message. A user may answer before the channel has reported the reference of the message; the
     * call waits up to 5 s for that.
     *
     * @param message the channel's reference of it
     */
    Optional<TaskQuestion> find(ConversationAddress address, String message) throws InterruptedException;

    /** The question about a task in a chat. */
    Optional<TaskQuestion> find(ConversationAddress address, UUID task);

    /** The open questions of a chat, oldest first. */
    List<TaskQuestion> open(ConversationAddress address);

    /**
     * Asks again, in another message.
     *
     * @param reference the channel's id of the request
     */
    void askAgain(ConversationAddress address, TaskQuestion question, String reference)
            throws UnavailableException, InterruptedException;

    /** Answers with the option of this index. */
    AnswerResult answerWithOption(TaskQuestion question, Sender sender, String reference, int option)
            throws UnavailableException, InterruptedException;

    /**
     * The form of a question; empty where it has none that a form can show.
     *
     * @param title of the form
     * @param send label of the button that sends it
     */
    Optional<ChatForm> form(TaskQuestion question, String title, String send);

    /**
     * Answers with the values of a form.
     *
     * @param values by the names of fields
     */
    AnswerResult answerWithForm(
            TaskQuestion question, Sender sender, String reference, Map<String, List<String>> values)
            throws UnavailableException, InterruptedException;

    /** Answers in words: a text, the name of an option, or the fields of a form, one per line. */
    AnswerResult answerWithText(TaskQuestion question, Sender sender, String reference, String text)
            throws UnavailableException, InterruptedException;
}
