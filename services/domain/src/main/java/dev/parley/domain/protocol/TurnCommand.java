package dev.parley.domain.protocol;

import dev.parley.domain.RecordKey;
import dev.parley.domain.content.Block;
import dev.parley.domain.definition.Settings;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.permission.PermissionRule;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What somebody wants of a session. Every command has exactly one {@link Outcome}. */
public sealed interface TurnCommand extends TurnInput {
    CommandMeta meta();

    /**
     * Says something to the agent. The command's id is the id of the turn it makes.
     *
     * @param originRef the origin's own reference, which makes a second delivery known as such
     * @param agent who is to answer, or null for the session's agent
     * @param settings how it is to be answered, before what the session and the agent say, or null
     * @param channel the kind of channel, for example {@code telegram} or {@code api}
     * @param channelId the channel's own name for the conversation
     * @param replyTo where to deliver the reply, or null where the asker reads it elsewhere
     * @param parent the delegating call that waits for the reply, or null
     * @param shared whether others than the user read the conversation, as in a group
     * @param retries a message of a turn that is to be answered again, or null. What was said in that turn is the content; that
     *     turn and all after it are taken back. Tools that came with it are the new turn's, where that brings none.
     * @param tools of the caller, who carries out the calls of them: {@link ToolSpec#ofCaller}. With any the message is a turn of its own
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
            List<ToolSpec> tools)
            implements TurnCommand {
        public SubmitTurn {
            content = List.copyOf(content);
            tools = List.copyOf(tools);
        }

        /** Said where nobody else reads it. */
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

        /** The same, saying this with these tools. */
        public SubmitTurn saying(List<Block> words, List<ToolSpec> with) {
            return new SubmitTurn(
                    meta, origin, originRef, mode, agent, settings, words, channel, channelId, replyTo, parent, shared,
                    retries, with);
        }

        /** How many delegations stand above this turn. */
        public int depth() {
            return parent == null ? 0 : parent.agents().size();
        }
    }

    /**
     * Says that a message was meant otherwise. One that waits for its turn is replaced; the agent of a turn that runs hears of
     * it before its next step.
     */
    record ReviseTurn(CommandMeta meta, UUID turnId, List<Block> content) implements TurnCommand {
        public ReviseTurn {
            content = List.copyOf(content);
        }
    }

    /** Ends a turn, running or queued; without a turn id the active one. */
    record CancelTurn(CommandMeta meta, @Nullable UUID turnId, String reason) implements TurnCommand {}

    /** Answers the question whether a tool call may be carried out; the first answer holds. */
    record DecideApproval(CommandMeta meta, UUID approvalId, ApprovalAnswer answer) implements TurnCommand {}

    /**
     * Gives the result of a call that waits for the caller of its turn; the first result holds.
     *
     * @param content what the model is told
     * @param failed whether it is an error
     */
    record AnswerCall(CommandMeta meta, UUID callId, String content, boolean failed) implements TurnCommand {}

    /**
     * Asks which calls of the active turn wait for its caller, and which for a person. It changes nothing, and is answered each time
     * with those there are then.
     */
    record ListCalls(CommandMeta meta) implements TurnCommand {}

    /** Replaces the session's own rules about tool calls; they go before all others but what is denied for good. */
    record SetPermissions(CommandMeta meta, List<PermissionRule> rules) implements TurnCommand {
        /** Rules of one session. */
        public static final int MOST = 100;

        public SetPermissions {
            rules = List.copyOf(rules);
        }
    }

    /**
     * Changes what the model is shown from now on; the history that people see keeps everything.
     *
     * @param label the mark's name, for {@code MARK} and {@code REWIND}; for {@code REVERT} the id of the last turn that is to stay, or null
     *     for all but the last
     */
    record ResetContext(
            CommandMeta meta, Reset reset, @Nullable String label) implements TurnCommand {}

    /** Kinds of {@link ResetContext}. */
    enum Reset {
        /** Start from nothing. */
        CLEAR,
        /** As {@code CLEAR}, without a mark to go back to; and the banks of memory that are the asker's alone forget everything. */
        FORGET,
        /** Remember this point. */
        MARK,
        /** Go back to a point that was remembered. */
        REWIND,
        /** Archive the session and start a new one under the same key: the epoch grows. */
        NEW,
        /** Take the last turn back, which ends if it still runs. */
        UNDO,
        /** Take turns back, with the files that they changed; they can be brought back until there is a new one. */
        REVERT,
        /** Bring back what was taken back. */
        UNREVERT
    }

    /**
     * Opens, renames, configures, archives, reopens or deletes the session.
     *
     * @param settings for all its turns from now on, with {@code OPEN} and {@code CONFIGURE}; they replace those before
     * @param lastSeq with {@code ERASE}: only while this is the number of the key's newest event; null for in any case
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
        /** A change in any case. */
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
        /** Deletes it, and everything that this key ever held, so that nothing brings it back. */
        ERASE
    }

    /** Asks for the agent's todos. It changes nothing, and is answered each time with what there is then. */
    record ListTodos(CommandMeta meta) implements TurnCommand {}

    /**
     * Copies the context into another session, which is made or whose context is replaced, and has the outcome.
     *
     * @param upTo the last turn that is copied, or null for all. Where nothing has followed that turn nothing is copied: the command is
     *     refused as {@code turn_is_last}, and who wants to go on from it goes on in the session itself
     */
    record ForkSession(
            CommandMeta meta,
            RecordKey target,
            @Nullable String title,
            @Nullable UUID upTo) implements TurnCommand {
        /** Copies all of it. */
        public ForkSession(CommandMeta meta, RecordKey target, @Nullable String title) {
            this(meta, target, title, null);
        }
    }

    /**
     * One piece of a fork's context on its way to the new session. Pieces come in order. The first has the command id of the
     * fork: its outcome is the fork's.
     *
     * @param source the session that is copied; the new session itself for a conversation that happened elsewhere
     * @param piece 0 for the first, or {@link #QUESTION}
     * @param pieces how many there are
     * @param forkedFrom the last turn that the copy holds, or null
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
            List<Entry> entries)
            implements TurnCommand {
        /** No piece: whoever forked asks again what became of it. */
        public static final int QUESTION = -1;

        public SeedContext {
            entries = List.copyOf(entries);
        }
    }

    /**
     * One piece of a session that happened elsewhere. Pieces come in order; nothing may have happened to the session's key
     * before the first. Nothing is under way after the last.
     *
     * @param importId the same in all pieces of one import
     * @param piece number of this piece, from 0
     * @param pieces how many there are at least; the piece before that number is the last
     * @param events what happened, as this key's events, numbered on from those of the piece before
     */
    record ImportSession(CommandMeta meta, UUID importId, int piece, int pieces, List<TurnEvent> events)
            implements TurnCommand {
        public ImportSession {
            events = List.copyOf(events);
        }
    }
}
