package dev.parley.domain.protocol;

import dev.parley.domain.RecordKey;
import dev.parley.domain.content.Block;
import dev.parley.domain.definition.Settings;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.permission.PermissionRule;
import dev.parley.domain.protocol.Reminder.QuietHours;
import dev.parley.domain.protocol.origin.Actor;
import dev.parley.domain.protocol.origin.Origin;
import dev.parley.domain.protocol.origin.Parent;
import dev.parley.domain.protocol.origin.ReplyAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A command to a session. Every command has exactly one {@link Outcome}. */
public sealed interface TurnCommand extends TurnInput {
    CommandMeta meta();

    /**
     * Sends a message to the agent. The command's id is the id of the resulting turn.
     *
     * @param originRef the origin's own reference, which identifies duplicates
     * @param agent the agent to answer, or null for the session's agent
     * @param settings override those of the session and the agent; or null
     * @param channel the kind of channel, for example {@code telegram} or {@code api}
     * @param channelId the channel's own id of the conversation
     * @param replyTo address for the reply, or null if the sender reads it elsewhere
     * @param parent the call that waits for the reply, or null
     * @param shared whether people other than the user can read the conversation, as in a group
     * @param retries a message of the turn to retry, or null. The content is the input of that turn; that turn and all
     *     later ones are reverted. Its caller's tools are kept unless new ones are given.
     * @param tools of the caller, who executes their calls: {@link ToolSpec#ofCaller}. A message with tools always
     *     becomes a separate turn
     * @param earlier what was said in the conversation before, for a session that this message opens; oldest first
     * @param posted whether the content is what the assistant says: it is delivered at once, and no model is called
     * @param toChat whether the reply goes to the chat that the session is of, if it is one of a bot's; the sender need
     *     not know its address
     */
    record SubmitTurn(
            CommandMeta meta,
            Origin origin,
            String originRef,
            MailboxMode mode,
            @Nullable String agent,
            @Nullable Settings settings,
            List<Block> content,
            String channel,
            @Nullable String channelId,
            @Nullable ReplyAddress replyTo,
            @Nullable Parent parent,
            boolean shared,
            @Nullable UUID retries,
            List<ToolSpec> tools,
            List<Overheard> earlier,
            boolean posted,
            boolean toChat)
            implements TurnCommand {
        /** @throws IllegalArgumentException if a posted message is to join or replace anything */
        public SubmitTurn {
            content = List.copyOf(content);
            tools = List.copyOf(tools);
            earlier = List.copyOf(earlier);
            if (posted && (mode != MailboxMode.FOLLOWUP || retries != null || !tools.isEmpty() || parent != null)) {
                throw new IllegalArgumentException("a posted message is a turn of its own, for which nobody waits");
            }
        }

        /** A message of a person in a conversation of which nothing is known from before. */
        public SubmitTurn(
                CommandMeta meta,
                Origin origin,
                String originRef,
                MailboxMode mode,
                @Nullable String agent,
                @Nullable Settings settings,
                List<Block> content,
                String channel,
                @Nullable String channelId,
                @Nullable ReplyAddress replyTo,
                @Nullable Parent parent,
                boolean shared,
                @Nullable UUID retries,
                List<ToolSpec> tools) {
            this(
                    meta, origin, originRef, mode, agent, settings, content, channel, channelId, replyTo, parent,
                    shared, retries, tools, List.of(), false, false);
        }

        /** A message in a private conversation. */
        public SubmitTurn(
                CommandMeta meta,
                Origin origin,
                String originRef,
                MailboxMode mode,
                @Nullable String agent,
                @Nullable Settings settings,
                List<Block> content,
                String channel,
                @Nullable String channelId,
                @Nullable ReplyAddress replyTo,
                @Nullable Parent parent) {
            this(
                    meta, origin, originRef, mode, agent, settings, content, channel, channelId, replyTo, parent, false,
                    null, List.of());
        }

        /** This message with other content and tools. */
        public SubmitTurn withMessage(List<Block> content, List<ToolSpec> tools) {
            return new SubmitTurn(
                    meta, origin, originRef, mode, agent, settings, content, channel, channelId, replyTo, parent,
                    shared, retries, tools, earlier, posted, toChat);
        }

        /** This message, with its reply also in the chat that the session is of. */
        public SubmitTurn toChat(boolean delivers) {
            return new SubmitTurn(
                    meta, origin, originRef, mode, agent, settings, content, channel, channelId, replyTo, parent,
                    shared, retries, tools, earlier, posted, delivers);
        }

        /**
         * This message, sent by a bot: it may open the session of a chat that has none yet.
         *
         * @param kind of the bot
         * @param answering the bot's agent, or null
         */
        public SubmitTurn ofBot(RecordKey session, String bot, String kind, @Nullable String answering) {
            String chat = session.session().substring(bot.length() + 1);
            return new SubmitTurn(
                    meta.by(Actor.bot(bot)),
                    origin,
                    originRef,
                    mode,
                    answering,
                    settings,
                    content,
                    kind,
                    chat,
                    replyTo,
                    parent,
                    shared,
                    retries,
                    tools,
                    earlier,
                    posted,
                    toChat);
        }

        /** The number of delegations above this turn. */
        public int depth() {
            return parent == null ? 0 : parent.agents().size();
        }
    }

    /** Revises a message. A queued one is replaced; the agent of an active turn is informed before its next step. */
    record ReviseTurn(CommandMeta meta, UUID turnId, List<Block> content) implements TurnCommand {
        public ReviseTurn {
            content = List.copyOf(content);
        }
    }

    /** Cancels a turn, active or queued; without a turn id the active one. */
    record CancelTurn(CommandMeta meta, @Nullable UUID turnId, String reason) implements TurnCommand {}

    /**
     * Answers an approval of a tool call; the first answer counts.
     *
     * @param reason given by the user, or null
     */
    record DecideApproval(
            CommandMeta meta,
            UUID approvalId,
            ApprovalAnswer answer,
            @Nullable String reason) implements TurnCommand {
        /** An answer without a reason. */
        public DecideApproval(CommandMeta meta, UUID approvalId, ApprovalAnswer answer) {
            this(meta, approvalId, answer, null);
        }
    }

    /**
     * Returns the result of a call that the turn's caller executes; the first result counts.
     *
     * @param content result for the model
     * @param failed whether the result is an error
     */
    record AnswerCall(CommandMeta meta, UUID callId, String content, boolean failed) implements TurnCommand {}

    /**
     * Gives the author's opinion of a turn, or takes it back. An author has one opinion of a turn without a reaction,
     * and one for each reaction; the newest counts.
     *
     * @param emoji the reaction that shows it, or null
     * @param reason given by the author, or null
     */
    record GiveFeedback(
            CommandMeta meta,
            UUID turnId,
            Opinion opinion,
            @Nullable String emoji,
            @Nullable String reason) implements TurnCommand {
        /** Maximum characters of a reaction. */
        public static final int MAX_EMOJI = 100;
        /** Maximum characters of a reason. */
        public static final int MAX_REASON = 2_000;
    }

    /**
     * Asks for a person to answer in the agent's place, makes the sender that person, or returns the conversation to the
     * agent. Repeating a step changes nothing.
     *
     * @param reason for operators, or why it returns; empty for none
     * @param name of the sender as shown in the conversation, with {@code TAKE}; empty for none
     * @param timeout with {@code TAKE}, the time without an answer after which the conversation returns; null for the
     *     default
     */
    record ChangeHandoff(
            CommandMeta meta,
            Handoff.Step step,
            String reason,
            String name,
            @Nullable Duration timeout) implements TurnCommand {
        /** Maximum characters of a name. */
        public static final int MAX_NAME = 100;
    }

    /**
     * Lists the calls of the active turn that wait for its caller or for an approval. Read-only; repeated for
     * duplicates.
     */
    record ListCalls(CommandMeta meta) implements TurnCommand {}

    /**
     * Replaces the session's permission rules, which take precedence over all others except permanent denials; or
     * removes one of them.
     *
     * @param removes the rule that is removed, while the others stay; null if all are replaced
     */
    record SetPermissions(
            CommandMeta meta,
            List<PermissionRule> rules,
            @Nullable UUID removes) implements TurnCommand {
        /** Maximum rules of one session. */
        public static final int MAX_RULES = 100;

        public SetPermissions {
            rules = List.copyOf(rules);
        }

        /** Replaces all rules. */
        public SetPermissions(CommandMeta meta, List<PermissionRule> rules) {
            this(meta, rules, null);
        }
    }

    /**
     * Changes the model's context from now on; the history shown to people stays complete.
     *
     * @param label name of the mark, for {@code MARK} and {@code REWIND}; for {@code REVERT} the id of the last turn to
     *     keep, or null to revert only the last turn
     */
    record ResetContext(
            CommandMeta meta, Reset reset, @Nullable String label) implements TurnCommand {}

    /** Kinds of {@link ResetContext}. */
    enum Reset {
        /** Clears the context. */
        CLEAR,
        /** Like {@code CLEAR}, without a mark to return to; and erases the user's own memory banks. */
        FORGET,
        /** Marks this point. */
        MARK,
        /** Returns to a marked point. */
        REWIND,
        /** Archives the session and starts a new one under the same key, with the next epoch. */
        NEW,
        /** Removes the last turn, cancelling it if it is active. */
        UNDO,
        /** Reverts turns with their file changes; can be undone until the next turn. */
        REVERT,
        /** Undoes {@code REVERT}. */
        UNREVERT
    }

    /**
     * Opens, renames, configures, archives, reopens or deletes the session.
     *
     * @param settings for all future turns, with {@code OPEN} and {@code CONFIGURE}; they replace the previous ones
     * @param lastSeq with {@code ERASE}: precondition, the number of the key's newest event; null for none
     */
    record ChangeSession(
            CommandMeta meta,
            Change change,
            @Nullable String title,
            @Nullable String agent,
            @Nullable Settings settings,
            String channel,
            @Nullable String channelId,
            @Nullable Long lastSeq)
            implements TurnCommand {
        /** A change without precondition. */
        public ChangeSession(
                CommandMeta meta,
                Change change,
                @Nullable String title,
                @Nullable String agent,
                @Nullable Settings settings,
                String channel,
                @Nullable String channelId) {
            this(meta, change, title, agent, settings, channel, channelId, null);
        }
    }

    /** Kinds of {@link ChangeSession}. */
    enum Change {
        OPEN,
        RENAME,
        CONFIGURE,
        ARCHIVE,
        REOPEN,
        DELETE,
        /** Deletes the session and everything that this key ever contained, irreversibly. */
        ERASE
    }

    /**
     * A message of a group that is not for the bot, kept as quiet context: no turn, no model call. The session exists
     * already; the actor is the bot that reads the chat.
     *
     * @param overheard an edit has the reference of the message that it replaces
     */
    record Overhear(CommandMeta meta, Overheard overheard) implements TurnCommand {}

    /** Lists the agent's todos. Read-only; a duplicate returns the then current list. */
    record ListTodos(CommandMeta meta) implements TurnCommand {}

    /**
     * Lists the reminders and quiet hours of the session. Read-only; a duplicate returns the then current ones.
     */
    record ListReminders(CommandMeta meta) implements TurnCommand {}

    /** Cancels a reminder of the sender; who leads the project cancels those of others, too. */
    record CancelReminder(CommandMeta meta, UUID reminder) implements TurnCommand {}

    /**
     * Records why a reminder that was due is not sent.
     *
     * @param due the time that it was for
     */
    record RefuseReminder(CommandMeta meta, UUID reminder, Instant due, String reason) implements TurnCommand {}

    /**
     * Sets the hours in which the sender's reminders of this session wait.
     *
     * @param hours of the sender, or null for none
     */
    record SetQuietHours(CommandMeta meta, @Nullable QuietHours hours) implements TurnCommand {}

    /**
     * Copies the context to another session, which is created, or whose context is replaced. That session produces the
     * outcome.
     *
     * @param upTo the last turn to copy, or null for all. If no turn has followed it, nothing is copied and the command
     *     is rejected as {@code turn_is_last}: the session itself can be continued
     */
    record ForkSession(
            CommandMeta meta,
            RecordKey target,
            @Nullable String title,
            @Nullable UUID upTo) implements TurnCommand {
        /** Copies the whole context. */
        public ForkSession(CommandMeta meta, RecordKey target, @Nullable String title) {
            this(meta, target, title, null);
        }
    }

    /**
     * One piece of a fork's context on its way to the target session. Pieces arrive in order. The first has the command
     * id of the fork, so its outcome is the fork's.
     *
     * @param source the copied session; the target itself for an imported conversation
     * @param piece from 0, or {@link #QUESTION}
     * @param pieces number of pieces
     * @param forkedFrom the last turn of the copy, or null
     * @param forOwner whether a host administrator imports a conversation for whoever owns the space of the key
     */
    record SeedContext(
            CommandMeta meta,
            UUID forkId,
            RecordKey source,
            UUID sourceSessionId,
            @Nullable UUID forkedFrom,
            int piece,
            int pieces,
            @Nullable String agent,
            @Nullable String title,
            @Nullable String summary,
            List<Entry> entries,
            boolean forOwner)
            implements TurnCommand {
        /** Not a piece: a duplicate of the fork command asks for the outcome again. */
        public static final int QUESTION = -1;

        public SeedContext {
            entries = List.copyOf(entries);
        }

        /** One piece of a fork. */
        public SeedContext(
                CommandMeta meta,
                UUID forkId,
                RecordKey source,
                UUID sourceSessionId,
                @Nullable UUID forkedFrom,
                int piece,
                int pieces,
                @Nullable String agent,
                @Nullable String title,
                @Nullable String summary,
                List<Entry> entries) {
            this(
                    meta,
                    forkId,
                    source,
                    sourceSessionId,
                    forkedFrom,
                    piece,
                    pieces,
                    agent,
                    title,
                    summary,
                    entries,
                    false);
        }
    }

    /**
     * One piece of an imported session. Pieces arrive in order; the key must be unused before the first, and nothing is
     * in progress after the last.
     *
     * @param importId shared by all pieces of one import
     * @param piece index, from 0
     * @param pieces minimum number of pieces; the one with index {@code pieces - 1} is the last
     * @param events events of this key, numbered consecutively over all pieces
     */
    record ImportSession(CommandMeta meta, UUID importId, int piece, int pieces, List<TurnEvent> events)
            implements TurnCommand {
        public ImportSession {
            events = List.copyOf(events);
        }
    }
}
