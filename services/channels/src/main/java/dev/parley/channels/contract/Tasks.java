package dev.parley.channels.contract;

import dev.parley.channels.contract.Intake.UnavailableException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Tasks of workflows that people are asked in private chats. */
public interface Tasks {
    /**
     * A message that asks somebody.
     *
     * @param reply id of the reply that asks
     * @param project key of the project of its process
     * @param order number of the task in its process
     * @param question JSON: prompt, mode, options and so on
     */
    record Asked(UUID reply, UUID task, String project, UUID process, long order, String question) {}

    /** What becomes of an answer. */
    sealed interface Answered {
        /** It is taken. */
        record Taken() implements Answered {}

        /** It is not as it has to be, and the question is asked again. */
        record Invalid(String why) implements Answered {}

        /** It is not taken. */
        record Refused(String why) implements Answered {}

        /** Nobody is asked this any more. */
        record Over() implements Answered {}

        /** This person may not answer it. */
        record Forbidden() implements Answered {}

        /** It takes longer than anybody waits. */
        record Late() implements Answered {}
    }

    /**
     * What a message of a chat asks. Somebody may read a question, and answer it, before the channel has told which message it is: that is
     * waited for, some seconds at most, lest the answer be taken for something else.
     *
     * @param message the channel's reference of it
     */
    Optional<Asked> asked(ConversationAddress address, String message) throws InterruptedException;

    /** What a chat was asked about a task. */
    Optional<Asked> asked(ConversationAddress address, UUID task);

    /** What waits for whoever a chat is with, the oldest first. */
    List<Asked> open(ConversationAddress address);

    /** Asks once more, in another message. @param reference the channel's own name for what wanted it */
    void again(ConversationAddress address, Asked asked, String reference)
            throws UnavailableException, InterruptedException;

    /** Somebody has chosen an option, by its place. */
    Answered choose(Asked asked, Sender who, String reference, int option)
            throws UnavailableException, InterruptedException;

    /** Somebody has answered in words: with a text, the name of an option, or the fields of a form, a line each. */
    Answered say(Asked asked, Sender who, String reference, String text)
            throws UnavailableException, InterruptedException;
}
