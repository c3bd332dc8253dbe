package dev.parley.channels.chat;

import dev.parley.channels.chat.Event.Attachment;
import dev.parley.channels.chat.Event.ButtonPress;
import dev.parley.channels.chat.Event.ChatMessage;
import java.util.List;
import java.util.function.Supplier;

/** What Parley asks of the other side while it handles the events of its chats. */
public interface ChatSide {
    /**
     * The bytes of a file.
     *
     * @param limit the most bytes of it
     * @throws NotThereException where it is not available, or longer
     */
    default byte[] bytes(Attachment attachment, int limit) throws NotThereException, InterruptedException {
        throw new NotThereException("this channel has no files", false);
    }

    /** Whether a message is one part of several that are sent together. Called once per message. */
    default boolean isPartial(ChatMessage message) {
        return false;
    }

    /**
     * What was said in the conversation before a message, oldest first; asked when somebody seems to speak to the bot
     * for the first time there. Empty where the platform cannot be asked, or does not answer within a few seconds.
     *
     * @param most the most messages of it
     */
    default List<ChatMessage> earlier(ChatMessage message, int most) throws InterruptedException {
        return List.of();
    }

    /**
     * Acknowledges a press.
     *
     * @param notice shown only to the user; may be empty
     */
    default void acknowledge(ButtonPress press, String notice) throws InterruptedException {
        // nothing by default: the answer is a message
    }

    /**
     * Replaces the message with the button, and its buttons, with a text.
     *
     * @return whether it was replaced; otherwise the text is sent
     */
    default boolean replaceMessage(ButtonPress press, String text) throws InterruptedException {
        return false;
    }

    /**
     * Answers a message or a form so that only its author sees it. Best effort: what has to arrive is a reply.
     *
     * @param text made only where it can be shown
     * @return whether it was shown; false where the platform has no such answers, or not to this event
     */
    default boolean answerAlone(Event event, Supplier<String> text) throws InterruptedException {
        return false;
    }

    /**
     * Shows a form to the person who pressed a button, which acknowledges the press. Its answer is an
     * {@link Event.FormAnswer} in the conversation of the press. Called only where
     * {@link dev.parley.channels.contract.ChannelPlugin#showsForms} says so.
     *
     * @param data to be returned with the answer, at most 64 bytes
     * @return false where it cannot be shown: it has too many fields, or the press is too old
     */
    default boolean showForm(ButtonPress press, ChatForm form, String data) throws InterruptedException {
        return false;
    }

    /** Prefix of commands in texts. */
    default String slash() {
        return "/";
    }

    /** The platform's name of a kind of events, for the metric: one of a few. */
    default String kind(Event event) {
        return switch (event) {
            case ChatMessage message -> message.edited() ? "edit" : "message";
            case ButtonPress _ -> "button";
            case Event.Feedback _ -> "feedback";
            case Event.Stop _ -> "stop";
            case Event.Deleted _ -> "deletion";
            case Event.FormAnswer _ -> "form";
            case Event.Membership _ -> "membership";
            case Event.Migrated _ -> "migration";
            case Event.Other other -> other.kind();
        };
    }
}
