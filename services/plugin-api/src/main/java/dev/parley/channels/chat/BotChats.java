package dev.parley.channels.chat;

import dev.parley.channels.chat.Event.ChatMessage;
import dev.parley.channels.contract.Taken;
import java.util.List;
import java.util.function.Supplier;

/**
 * The chats of a bot: who is admitted and by which code, commands and their translations, linked accounts, answers to
 * workflow tasks, buttons, edits. Refusals are told in the chat. Thread-safe.
 */
public interface BotChats {

    /**
     * Handles events of one chat in order. Files of albums ({@link ChatMessage#album}) are fetched ahead in parallel,
     * so that an album stays together. Returns when what the events say is stored durably, or has no effect.
     *
     * @return {@link Taken.NotSafe} where all of them have to be handled again; {@link Taken.Refused} where one was
     *     malformed, and skipped
     */
    Taken handle(List<Received> events) throws InterruptedException;

    /** Handles one event. */
    default Taken handle(Event event, String reference, String revision) throws InterruptedException {
        return handle(List.of(new Received(event, reference, revision)));
    }

    /**
     * An event of the other side.
     *
     * @param reference the other side's id of it, the same on redelivery: 1 to 126 printable ASCII characters without
     *     spaces
     * @param revision of an edited message, the other side's id of the edit; may be empty otherwise
     */
    record Received(Event event, String reference, String revision) {}

    /** Reads a payload of the other side; one that cannot be read is logged, and becomes {@link Event.Other}. */
    Event read(Supplier<Event> payload);

    /** Whether the bot answers a message, by its text and chat and the bot's {@code groups}, whoever wrote it. */
    boolean isAddressed(ChatMessage message);

    /**
     * A chat has a new id, and keeps its sessions.
     *
     * @throws IllegalStateException while the database does not answer
     */
    void move(String from, String to);

    /** What the bot has received, for channels that do not redeliver. */
    SeenMessages seen();

    /** What the bot has noted about its chats, for channels that need more than an address. */
    ChatNotes notes();

    /** The data of the bot's buttons. */
    Buttons buttons();
}
