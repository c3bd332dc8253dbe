package dev.parley.domain.protocol;

import dev.parley.domain.Names;
import dev.parley.domain.RecordKey;
import dev.parley.domain.bank.BankRef;
import dev.parley.domain.bank.Directive;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.Patch;
import dev.parley.domain.content.Todo;
import dev.parley.domain.definition.Disclosed;
import dev.parley.domain.definition.GuardrailAction;
import dev.parley.domain.definition.GuardrailStage;
import dev.parley.domain.definition.Settings;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.permission.PermissionAction;
import dev.parley.domain.permission.PermissionRule;
import dev.parley.domain.permission.RuleLevel;
import dev.parley.domain.protocol.Reminder.QuietHours;
import dev.parley.domain.protocol.origin.Actor;
import dev.parley.domain.protocol.origin.Origin;
import dev.parley.domain.protocol.origin.Parent;
import dev.parley.domain.protocol.origin.Payer;
import dev.parley.domain.protocol.origin.ReplyAddress;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The events of a session, from which everything visible of it is derived. */
public sealed interface TurnEvent {
    EventMeta meta();

    /**
     * A session was opened; {@code parentSessionId} for a delegate, {@code forkedFrom} (a turn) for a fork.
     *
     * @param owner who opened it
     */
    @RecordBuilder
    record SessionOpened(
            EventMeta meta,
            String channel,
            @Nullable String channelId,
            String agent,
            @Nullable UUID parentSessionId,
            @Nullable UUID forkedFrom,
            int depth,
            @Nullable String title,
            @Nullable String user,
            Actor owner)
            implements TurnEvent, TurnEventSessionOpenedBuilder.With {
        public SessionOpened {
            title = title == null ? null : Names.cleaned(title);
        }
    }

    /**
     * A session was archived, reopened, deleted, renamed or given settings.
     *
     * @param title new title, or null if unchanged
     * @param settings new settings, or null if unchanged
     */
    record SessionChanged(
            EventMeta meta,
            SessionStatus status,
            @Nullable String title,
            @Nullable Settings settings) implements TurnEvent {
        public SessionChanged {
            title = title == null ? null : Names.cleaned(title);
        }
    }

    /**
     * All content under this key, in all its epochs, is erased and must be removed wherever it is stored.
     *
     * @param erasure id of the request
     * @param by the user who requested it, or null
     */
    record SessionErased(
            EventMeta meta, UUID erasure, @Nullable String by) implements TurnEvent {}

    /**
     * A message was accepted as a queued turn, which does not start before {@code holdUntil}.
     *
     * @param settings overrides of the agent's configuration
     * @param shared whether others than the user can read it
     * @param retryOf the turn that this one retries, or null
     * @param tools of the caller, who executes their calls
     * @param posted whether the content is what the assistant says, for which no model is called
     */
    @RecordBuilder
    record TurnAccepted(
            EventMeta meta,
            long turnSeq,
            Origin origin,
            String originRef,
            MailboxMode mode,
            String agent,
            @Nullable Settings settings,
            List<Block> content,
            @Nullable String user,
            @Nullable ReplyAddress replyTo,
            @Nullable Parent parent,
            @Nullable Integer outcomePartition,
            @Nullable Instant holdUntil,
            @Nullable String trace,
            boolean shared,
            @Nullable UUID retryOf,
            List<ToolSpec> tools,
            boolean posted)
            implements TurnEvent, TurnEventTurnAcceptedBuilder.With {
        public TurnAccepted {
            content = List.copyOf(content);
            tools = List.copyOf(tools);
        }
    }

    /** A message joined a queued turn (mode {@code collect}). */
    record TurnExtended(
            EventMeta meta,
            List<Block> content,
            @Nullable Integer outcomePartition,
            @Nullable Instant holdUntil) implements TurnEvent {
        public TurnExtended {
            content = List.copyOf(content);
        }
    }

    /** The message of a queued turn was replaced. */
    record TurnRevised(EventMeta meta, List<Block> content) implements TurnEvent {
        public TurnRevised {
            content = List.copyOf(content);
        }
    }

    /** A message joined the active turn (mode {@code steer}) and waits for its next model call. */
    record TurnSteered(
            EventMeta meta, List<Block> content, @Nullable Integer outcomePartition) implements TurnEvent {
        public TurnSteered {
            content = List.copyOf(content);
        }
    }

    /**
     * The turn is now the active one; its definitions are pinned.
     *
     * @param instructions of the agent if they differ from those of the session's previous turn, else null
     */
    record TurnStarted(
            EventMeta meta,
            String agent,
            String agentVersion,
            Instant deadline,
            @Nullable String instructions) implements TurnEvent {}

    /**
     * A message not generated by a model was appended to the context.
     *
     * @param index number of the message within the turn
     */
    record MessageAppended(EventMeta meta, int index, Message message) implements TurnEvent {}

    /**
     * A model call was sent.
     *
     * @param recordings to transcribe; empty for a reply
     */
    @RecordBuilder
    record ModelRequested(
            EventMeta meta,
            UUID callId,
            int step,
            int attempt,
            String provider,
            String model,
            boolean toolsAllowed,
            List<Block.File> recordings,
            Instant leaseUntil)
            implements TurnEvent, TurnEventModelRequestedBuilder.With {
        public ModelRequested {
            recordings = List.copyOf(recordings);
        }
    }

    /**
     * Recordings of the turn were transcribed.
     *
     * @param raw the provider's response, byte for byte, or null
     */
    @RecordBuilder
    record Transcribed(
            EventMeta meta,
            UUID callId,
            int step,
            int attempt,
            List<Block.File> recordings,
            Usage usage,
            String provider,
            String model,
            @Nullable String raw)
            implements TurnEvent, TurnEventTranscribedBuilder.With {
        public Transcribed {
            recordings = List.copyOf(recordings);
        }

        /** The blocks with these transcripts. */
        public List<Block> applyTo(List<Block> blocks) {
            return blocks.stream().map(this::applyTo).toList();
        }

        private Block applyTo(Block block) {
            return recordings.stream()
                    .filter(recording -> block instanceof Block.File file
                            && file.isUnheard()
                            && file.sha256().equals(recording.sha256()))
                    .findFirst()
                    .<Block>map(recording ->
                            ((Block.File) block).withTranscript(Objects.requireNonNull(recording.transcript())))
                    .orElse(block);
        }
    }

    /**
     * A model answered; its message is part of the history.
     *
     * @param index number of the message within the turn
     * @param interrupted whether the turn was cancelled during the answer
     * @param raw the provider's response, byte for byte, or null
     * @param payer owner of the API key that paid for it, or null if no key was needed
     */
    @RecordBuilder
    record ModelCalled(
            EventMeta meta,
            UUID callId,
            int step,
            int attempt,
            int index,
            List<Block> blocks,
            FinishReason finish,
            boolean interrupted,
            Usage usage,
            String provider,
            String model,
            @Nullable String raw,
            @Nullable Payer payer)
            implements TurnEvent, TurnEventModelCalledBuilder.With {
        public ModelCalled {
            blocks = List.copyOf(blocks);
        }
    }

    /** A model call failed; it is retried at {@code retryAt}, or not at all if that is null. */
    @RecordBuilder
    record ModelCallFailed(
            EventMeta meta,
            UUID callId,
            int step,
            int attempt,
            ModelRequest.Purpose purpose,
            ErrorCategory category,
            String detail,
            @Nullable Instant retryAt)
            implements TurnEvent, TurnEventModelCallFailedBuilder.With {}

    /**
     * A tool call was sent: to a worker, another agent, or the turn's caller ({@link ToolSpec#OF_CALLER}).
     *
     * @param index number of the call within the step
     * @param message number of the requesting message within the turn
     * @param part index of the call's block in that message
     * @param toolCallId the model's own id of the call
     * @param arguments including those added by a skill
     * @param version of the tool; empty for a built-in tool, {@link ToolSpec#OF_CALLER} for a tool of the caller
     * @param child the delegate session that executes it, or null for a tool
     */
    @RecordBuilder
    record ToolRequested(
            EventMeta meta,
            UUID callId,
            int step,
            int index,
            int attempt,
            int message,
            int part,
            String toolCallId,
            String name,
            String arguments,
            String version,
            @Nullable RecordKey child,
            Instant leaseUntil,
            Instant deadline)
            implements TurnEvent, TurnEventToolRequestedBuilder.With {}

    /**
     * Permission rules were evaluated for a tool call.
     *
     * @param value the subject of the call, one value per line; empty if it has none
     * @param rule the deciding rule, or null if none matched
     */
    @RecordBuilder
    record PermissionDecided(
            EventMeta meta,
            UUID callId,
            String tool,
            String value,
            PermissionAction action,
            @Nullable UUID rule) implements TurnEvent, TurnEventPermissionDecidedBuilder.With {}

    /**
     * A person's approval of a tool call was requested.
     *
     * @param approvalId derived from the call and its arguments: an answer is valid for these only
     * @param reason additional to the rule, or null
     * @param expiresAt when the call is denied without an answer
     * @param tool name; null in events of releases before 0.2, as are the following fields
     * @param about the subject of the call, one value per line; empty if it has none
     * @param arguments of the call as shown to the person: of long ones the beginning and the end
     * @param user of the turn, or null
     */
    @RecordBuilder
    record ApprovalRequested(
            EventMeta meta,
            UUID approvalId,
            UUID callId,
            @Nullable String reason,
            Instant expiresAt,
            @Nullable String tool,
            @Nullable String about,
            @Nullable String arguments,
            @Nullable String user)
            implements TurnEvent, TurnEventApprovalRequestedBuilder.With {}

    /**
     * An approval was decided.
     *
     * @param by the user who decided, or null on timeout
     * @param reason given by this user, or null
     */
    record ApprovalDecided(
            EventMeta meta,
            UUID approvalId,
            UUID callId,
            ApprovalAnswer answer,
            @Nullable String by,
            @Nullable String reason)
            implements TurnEvent {
        /** A decision without a reason. */
        public ApprovalDecided(
                EventMeta meta, UUID approvalId, UUID callId, ApprovalAnswer answer, @Nullable String by) {
            this(meta, approvalId, callId, answer, by, null);
        }
    }

    /** The session's permission rules were replaced. */
    record PermissionsChanged(EventMeta meta, List<PermissionRule> rules) implements TurnEvent {
        public PermissionsChanged {
            rules = List.copyOf(rules);
            if (rules.size() > TurnCommand.SetPermissions.MAX_RULES
                    || rules.stream().anyMatch(rule -> rule.level() != RuleLevel.SESSION)) {
                throw new IllegalArgumentException("a session has at most " + TurnCommand.SetPermissions.MAX_RULES
                        + " rules, all at session level");
            }
        }
    }

    /** A tool call has its one result. Message and step are those of its {@link ToolRequested}. */
    @RecordBuilder
    record ToolCalled(
            EventMeta meta,
            UUID callId,
            int step,
            int index,
            int attempt,
            int message,
            int part,
            String toolCallId,
            String name,
            ToolStatus status,
            String content,
            List<Block.File> files,
            List<Patch> patches)
            implements TurnEvent, TurnEventToolCalledBuilder.With {
        public ToolCalled {
            files = List.copyOf(files);
            patches = List.copyOf(patches);
        }
    }

    /**
     * A person resolved a tool call with an unknown result: its {@link ToolCalled} is {@code UNKNOWN}. The turn does
     * not change, and no model is informed.
     *
     * @param by id of the person
     */
    record CallSettled(
            EventMeta meta,
            UUID callId,
            CallOutcome outcome,
            String by,
            @Nullable String note) implements TurnEvent {
        /** A finding without a note. */
        public CallSettled(EventMeta meta, UUID callId, CallOutcome outcome, String by) {
            this(meta, callId, outcome, by, null);
        }
    }

    /**
     * A person gave an opinion of a turn, or took it back, possibly long after the turn ended. It replaces their
     * earlier one with the same reaction. The turn does not change, and no model is informed.
     *
     * @param turnId of this key; of an earlier session under it, where one followed
     * @param by the person
     * @param emoji the reaction that shows it, or null
     * @param reason given by the person, or null
     */
    record FeedbackGiven(
            EventMeta meta,
            UUID turnId,
            String by,
            Opinion opinion,
            @Nullable String emoji,
            @Nullable String reason) implements TurnEvent {}

    /** A call is to be repeated at a time requested by its worker. */
    record CallDelayed(EventMeta meta, UUID callId, int attempt, Instant retryAt, String reason) implements TurnEvent {}

    /** Another instance waits for the turn. State only, not published. */
    record WaiterAdded(EventMeta meta, UUID waitingFor, int outcomePartition) implements TurnEvent, StateOnly {}

    /** A worker renewed its lease. State only, not published. */
    record LeaseRenewed(EventMeta meta, UUID callId, Instant leaseUntil) implements TurnEvent, StateOnly {}

    /** The agent sent a text to the chat during a turn. */
    record MessageSent(EventMeta meta, int index, String text) implements TurnEvent {}

    /** Loaded skills or found tools changed. */
    record DisclosureChanged(EventMeta meta, Disclosed disclosed) implements TurnEvent {}

    /**
     * A guardrail acted on a text or failed. Does not contain the text.
     *
     * @param step number of the model call that the input precedes or the answer belongs to
     * @param guardrail name
     * @param action {@link GuardrailAction#ALLOW} if it failed open
     * @param reason a short code
     */
    record GuardrailApplied(
            EventMeta meta, GuardrailStage stage, int step, String guardrail, GuardrailAction action, String reason)
            implements TurnEvent {}

    /**
     * Guardrails have checked an input.
     *
     * @param message 0 for the turn's own, else its number among those that joined and wait for a model call
     * @param content the rewritten message, or null if unchanged
     */
    record InputChecked(
            EventMeta meta, int message, @Nullable List<Block> content) implements TurnEvent {
        public InputChecked {
            content = content == null ? null : List.copyOf(content);
        }
    }

    /** A guardrail's tool was called. State only, not published, because it contains the text. */
    record GuardrailAsked(EventMeta meta, Check check) implements TurnEvent, StateOnly {}

    /**
     * The state of recall. State only, not published, because it contains memories.
     *
     * @param directives of the banks, highest priority first; null if they were not returned
     */
    record RecollectionChanged(
            EventMeta meta,
            Recollection recollection,
            @Nullable List<Directive> directives) implements TurnEvent, StateOnly {
        public RecollectionChanged {
            directives = directives == null ? null : List.copyOf(directives);
        }
    }

    /** A bank retains content of the session for the first time. State only, not published. */
    record TurnRemembered(EventMeta meta, BankRef bank) implements TurnEvent, StateOnly {}

    /** The agent replaced its todo list. */
    record TodosChanged(EventMeta meta, List<Todo> todos) implements TurnEvent {
        /** @throws IllegalArgumentException if there are too many, or more than one is active */
        public TodosChanged {
            todos = Todo.requireValid(todos);
        }
    }

    /** A message of the chat that is not for the agent was heard, edited or deleted. The next turn is told of it. */
    record MessageOverheard(EventMeta meta, Overheard overheard) implements TurnEvent {}

    /**
     * The conversation waits for a person to answer in the agent's place, has one, or returns to the agent.
     *
     * @param handoff as it is now; one that is over, as it was
     * @param by who asked, took or returned it, or null
     * @param reason given by them; empty for none
     */
    record HandoffChanged(
            EventMeta meta,
            Handoff.Change change,
            Handoff handoff,
            @Nullable String by,
            String reason) implements TurnEvent {}

    /**
     * A reminder of the session was changed.
     *
     * @param reminder as it is now; one that was cancelled, or is due for the last time, as it was
     * @param due the time that has come; null where none has
     * @param by who set or cancelled it, or null
     * @param reason why it is not sent, or null
     */
    record ReminderChanged(
            EventMeta meta,
            Reminder.Change change,
            Reminder reminder,
            @Nullable Instant due,
            @Nullable String by,
            @Nullable String reason)
            implements TurnEvent {
        /** Whether the session does not have the reminder any longer. */
        public boolean ends() {
            return change == Reminder.Change.CANCELLED
                    || change == Reminder.Change.DUE && reminder.due().equals(due);
        }
    }

    /**
     * A person set the hours in which their reminders of the session wait.
     *
     * @param user the person, or null if the channel does not know them
     * @param hours null for none
     */
    record QuietHoursChanged(
            EventMeta meta, @Nullable String user, @Nullable QuietHours hours) implements TurnEvent {}

    /** Cancellation of a turn was requested; its worker has until {@code until} to return its partial answer. */
    record CancelRequested(EventMeta meta, String reason, Instant until) implements TurnEvent {}

    /**
     * The turn ended with a reply.
     *
     * @param bank id of the bank that retains the turn, or null
     * @param handedOff whether a person replied in the agent's place, with a message of their own
     */
    record TurnCompleted(
            EventMeta meta,
            String reply,
            FinishReason finish,
            Usage usage,
            @Nullable String model,
            @Nullable UUID bank,
            boolean handedOff)
            implements TurnEvent {
        /** The end of a turn with a reply of the agent. */
        public TurnCompleted(
                EventMeta meta,
                String reply,
                FinishReason finish,
                Usage usage,
                @Nullable String model,
                @Nullable UUID bank) {
            this(meta, reply, finish, usage, model, bank, false);
        }
    }

    /** The turn failed; {@code message} is for users, {@code detail} is for operators. */
    record TurnFailed(EventMeta meta, ErrorCategory category, String message, String detail, Usage usage)
            implements TurnEvent {}

    /** The turn was cancelled; {@code partial} is what the agent had generated. */
    record TurnCancelled(EventMeta meta, String reason, String partial, Usage usage) implements TurnEvent {}

    /**
     * The model's context was cleared, marked, rewound or reverted.
     *
     * @param label name of the mark; the number of the removed turn; with {@code REVERT} the number of the first
     *     reverted turn; with {@code UNREVERT} the number of the event that reverted the first ones
     */
    record ContextReset(
            EventMeta meta,
            TurnCommand.Reset reset,
            @Nullable String label) implements TurnEvent {}

    /**
     * A revert of turns' file changes was requested.
     *
     * @param waiter partition of {@code outcomes} on which an instance waits, or null
     * @param user the user who requested it, or null
     * @param arguments the files: JSON for the tool {@link ToolSpec#FILES_REVERT}
     */
    @RecordBuilder
    record FilesRevertRequested(
            EventMeta meta,
            UUID callId,
            int attempt,
            UUID commandId,
            @Nullable Integer waiter,
            @Nullable String user,
            String arguments,
            Instant leaseUntil,
            Instant deadline)
            implements TurnEvent, TurnEventFilesRevertRequestedBuilder.With {}

    /**
     * The revert of file changes succeeded or failed.
     *
     * @param content result for each file, as JSON; with {@code ERROR} the reason
     */
    record FilesReverted(EventMeta meta, UUID callId, ToolStatus status, String content) implements TurnEvent {}

    /** A summary of old turns was requested; it covers the entries before {@code cut}. */
    @RecordBuilder
    record SummaryRequested(
            EventMeta meta, UUID callId, int attempt, long upTo, long cut, Instant leaseUntil, Instant deadline)
            implements TurnEvent, TurnEventSummaryRequestedBuilder.With {}

    /**
     * Turns up to {@code upTo} are replaced by this summary in the model's context.
     *
     * @param provider of the model; null in events from before 0.2.0
     */
    record Summarised(
            EventMeta meta,
            UUID callId,
            String summary,
            long upTo,
            long cut,
            Usage usage,
            String model,
            @Nullable String provider)
            implements TurnEvent {}

    /** The summary failed; the next one is not requested before {@code retryAt}. */
    record SummaryFailed(EventMeta meta, UUID callId, ErrorCategory category, String detail, Instant retryAt)
            implements TurnEvent {}

    /** A piece of a fork's context arrived. */
    @RecordBuilder
    record ContextSeeded(
            EventMeta meta,
            UUID forkId,
            int piece,
            int pieces,
            @Nullable String summary,
            List<Entry> entries) implements TurnEvent, TurnEventContextSeededBuilder.With {
        public ContextSeeded {
            entries = List.copyOf(entries);
        }
    }

    /** Whether the event is published; the others change the state only. */
    default boolean isPublished() {
        return !(this instanceof StateOnly);
    }
}
