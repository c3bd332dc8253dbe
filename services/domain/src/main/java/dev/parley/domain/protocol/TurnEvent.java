package dev.parley.domain.protocol;

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
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What happened to a session, in order. Everything that anybody can see of it follows from these. It is long because all of them stand here,
 * so that a reader sees what there is.
 */
public sealed interface TurnEvent {
    EventMeta meta();

    /** A session began; {@code parentSessionId} for a delegate's, {@code forkedFrom} (a turn) for a fork's. */
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
            @Nullable String user)
            implements TurnEvent, TurnEventSessionOpenedBuilder.With {}

    /**
     * A session was archived, reopened, deleted, renamed or given settings.
     *
     * @param title the new title, or null for the one before
     * @param settings the new settings, or null for those before
     */
    record SessionChanged(
            EventMeta meta,
            SessionStatus status,
            @Nullable String title,
            @Nullable Settings settings) implements TurnEvent {}

    /**
     * Everything that happened under this key before is erased, in all its epochs: it is to be removed wherever it stands.
     *
     * @param erasure the id under which it was asked for
     * @param by who asked, or null where nobody in particular did
     */
    record SessionErased(
            EventMeta meta, UUID erasure, @Nullable String by) implements TurnEvent {}

    /**
     * A message was taken in and is now a turn, waiting; not to be started before {@code holdUntil}.
     *
     * @param settings how it is to be answered, where that is not as the agent says
     * @param shared whether others than the user read it
     * @param retryOf the turn whose question this one answers again, or null
     * @param tools of the caller, who carries out the calls of them
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
            List<ToolSpec> tools)
            implements TurnEvent, TurnEventTurnAcceptedBuilder.With {
        public TurnAccepted {
            content = List.copyOf(content);
            tools = List.copyOf(tools);
        }
    }

    /** A further message joined a turn that waits (mode {@code collect}). */
    record TurnExtended(
            EventMeta meta,
            List<Block> content,
            @Nullable Integer outcomePartition,
            @Nullable Instant holdUntil) implements TurnEvent {
        public TurnExtended {
            content = List.copyOf(content);
        }
    }

    /** The message of a turn that waits was replaced by another. */
    record TurnRevised(EventMeta meta, List<Block> content) implements TurnEvent {
        public TurnRevised {
            content = List.copyOf(content);
        }
    }

    /** A further message joined the active turn (mode {@code steer}) and waits for its next model call. */
    record TurnSteered(
            EventMeta meta, List<Block> content, @Nullable Integer outcomePartition) implements TurnEvent {
        public TurnSteered {
            content = List.copyOf(content);
        }
    }

    /**
     * The turn is the session's active one now; its definitions are pinned.
     *
     * @param instructions of the agent, where they are not those that the session's turn before was told; else null
     */
    record TurnStarted(
            EventMeta meta,
            String agent,
            String agentVersion,
            Instant deadline,
            @Nullable String instructions) implements TurnEvent {}

    /**
     * A message that no model made entered the context.
     *
     * @param index its number in the turn
     */
    record MessageAppended(EventMeta meta, int index, Message message) implements TurnEvent {}

    /**
     * A model was asked.
     *
     * @param recordings those that it is to write down; none where it is asked for a reply
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
     * What is said in recordings of the turn is known now, and stands in them from here on.
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

        /** These blocks with what is said in them. */
        public List<Block> heard(List<Block> blocks) {
            return blocks.stream().map(this::heard).toList();
        }

        private Block heard(Block block) {
            return recordings.stream()
                    .filter(said -> block instanceof Block.File file
                            && file.isUnheard()
                            && file.sha256().equals(said.sha256()))
                    .findFirst()
                    .<Block>map(said -> ((Block.File) block).saying(Objects.requireNonNull(said.transcript())))
                    .orElse(block);
        }
    }

    /**
     * A model answered; its message is part of the history.
     *
     * @param index the message's number in the turn
     * @param interrupted the turn was cancelled while it spoke
     * @param raw the provider's response, byte for byte, or null
     * @param payer whose key paid for it, or null where none was needed
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

    /** A model call failed; it is made again at {@code retryAt}, or never where that is null. */
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
     * A tool call was handed out: to a worker, to another agent, or to the caller of the turn ({@link ToolSpec#OF_CALLER}).
     *
     * @param index its number among the calls of the step
     * @param message the number in the turn of the message that asked for it
     * @param part the number of its part in that message
     * @param toolCallId the model's own id for the call
     * @param arguments with those that a skill adds
     * @param version of the tool; empty for one that comes with a program, {@link ToolSpec#OF_CALLER} for one of the caller
     * @param child the session of the agent that carries it out, or null for a tool
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
     * Rules were asked whether a tool call may be carried out.
     *
     * @param value what the call is about, one value a line; empty where it is about nothing in particular
     * @param rule the rule that decided, or null where none says anything of it
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
     * A person is asked whether a tool call may be carried out.
     *
     * @param approvalId follows from the call and its arguments: an answer is about these and no others
     * @param reason why it is asked, besides the rule, or null
     * @param expiresAt when it is refused if nobody answers
     * @param tool its name; null in events that are older than 0.2, as what follows
     * @param about what the call is about, one value a line; empty where it is about nothing in particular
     * @param arguments of the call, as the person reads them: of long ones the beginning and the end
     * @param user whose turn it is, or null
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
     * It was answered whether a tool call may be carried out.
     *
     * @param by who answered, or null where nobody did
     */
    record ApprovalDecided(
            EventMeta meta,
            UUID approvalId,
            UUID callId,
            ApprovalAnswer answer,
            @Nullable String by) implements TurnEvent {}

    /** The session's own rules about tool calls are these now. */
    record PermissionsChanged(EventMeta meta, List<PermissionRule> rules) implements TurnEvent {
        public PermissionsChanged {
            rules = List.copyOf(rules);
            if (rules.size() > TurnCommand.SetPermissions.MAX_RULES
                    || rules.stream().anyMatch(rule -> rule.level() != RuleLevel.SESSION)) {
                throw new IllegalArgumentException(
                        "a session has at most " + TurnCommand.SetPermissions.MAX_RULES + " rules, all of its own");
            }
        }
    }

    /** A tool call has its one result. Its place in the message and step is that of its {@link ToolRequested}. */
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
     * A person found out what became of a tool call that nobody saw the end of: its {@link ToolCalled} is {@code UNKNOWN}. It changes
     * nothing of the turn, and no model is told.
     *
     * @param by the person's id
     */
    record CallSettled(EventMeta meta, UUID callId, CallOutcome outcome, String by) implements TurnEvent {}

    /** A call is to be made again at a time that its worker asked for. */
    record CallDelayed(EventMeta meta, UUID callId, int attempt, Instant retryAt, String reason) implements TurnEvent {}

    /** One more instance waits for the turn. It changes the state only, and is not published. */
    record WaiterAdded(EventMeta meta, UUID waitingFor, int outcomePartition) implements TurnEvent {}

    /** A worker renewed its lease. It changes the state only, and is not published. */
    record LeaseRenewed(EventMeta meta, UUID callId, Instant leaseUntil) implements TurnEvent {}

    /** The agent sent text to the chat in the middle of a turn. */
    record MessageSent(EventMeta meta, int index, String text) implements TurnEvent {}

    /** What models see besides what every request carries is this now. */
    record DisclosureChanged(EventMeta meta, Disclosed disclosed) implements TurnEvent {}

    /**
     * A guardrail did something about a text, or could not decide. It says nothing of what was in it.
     *
     * @param step number of the model call that the text came before or from
     * @param guardrail its name
     * @param action {@link GuardrailAction#ALLOW} where it could not decide and lets such texts pass
     * @param reason a short code
     */
    record GuardrailApplied(
            EventMeta meta, GuardrailStage stage, int step, String guardrail, GuardrailAction action, String reason)
            implements TurnEvent {}

    /**
     * Guardrails have looked at a message that came in.
     *
     * @param message 0 for the turn's own, else its number among those that joined and wait for a model call
     * @param content what stands in its place from here on, or null where it stays
     */
    record InputChecked(
            EventMeta meta, int message, @Nullable List<Block> content) implements TurnEvent {
        public InputChecked {
            content = content == null ? null : List.copyOf(content);
        }
    }

    /** A guardrail's tool is asked. It changes the state only, and is not published: it holds the text. */
    record GuardrailAsked(EventMeta meta, Check check) implements TurnEvent {}

    /**
     * What the turn is reminded of. It changes the state only, and is not published: it holds what is remembered.
     *
     * @param directives of the banks that were asked, the most important first; null where they did not say
     */
    record RecollectionChanged(
            EventMeta meta,
            Recollection recollection,
            @Nullable List<Directive> directives) implements TurnEvent {
        public RecollectionChanged {
            directives = directives == null ? null : List.copyOf(directives);
        }
    }

    /** A bank remembers something of the session for the first time. It changes the state only, and is not published. */
    record TurnRemembered(EventMeta meta, BankRef bank) implements TurnEvent {}

    /** The agent wrote down anew what it does: the whole list, in order. */
    record TodosChanged(EventMeta meta, List<Todo> todos) implements TurnEvent {
        /** @throws IllegalArgumentException when there are too many, or more than one is active */
        public TodosChanged {
            todos = Todo.checked(todos);
        }
    }

    /** A turn was asked to stop and its worker is given a moment to hand in what it has. */
    record CancelRequested(EventMeta meta, String reason, Instant until) implements TurnEvent {}

    /**
     * The turn ended with a reply.
     *
     * @param bank id of the bank that remembers what was said in it, or null
     */
    record TurnCompleted(
            EventMeta meta,
            String reply,
            FinishReason finish,
            Usage usage,
            @Nullable String model,
            @Nullable UUID bank) implements TurnEvent {}

    /** The turn ended without one; {@code message} is fit for a chat, {@code detail} is for operators. */
    record TurnFailed(EventMeta meta, ErrorCategory category, String message, String detail, Usage usage)
            implements TurnEvent {}

    /** The turn was ended by somebody; {@code partial} is what the agent had said. */
    record TurnCancelled(EventMeta meta, String reason, String partial, Usage usage) implements TurnEvent {}

    /**
     * What the model is shown was cleared, marked, rewound or taken back by a turn.
     *
     * @param label the mark's name; the number of the turn that was taken back, with {@code REVERT} that of the first one; with
     *     {@code UNREVERT} the number of the event that took the first ones back
     */
    record ContextReset(
            EventMeta meta,
            TurnCommand.Reset reset,
            @Nullable String label) implements TurnEvent {}

    /**
     * The files that turns changed were asked to be put back.
     *
     * @param waiter partition of {@code outcomes} where somebody waits for it, or null
     * @param user who wanted it, or null
     * @param arguments which files: JSON for the tool {@link ToolSpec#FILES_REVERT}
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
     * The files that turns changed were put back, or not.
     *
     * @param content what became of them, as JSON; with {@code ERROR} why nothing did
     */
    record FilesReverted(EventMeta meta, UUID callId, ToolStatus status, String content) implements TurnEvent {}

    /** A summary of old turns was asked for; it covers the entries before {@code cut}. */
    @RecordBuilder
    record SummaryRequested(
            EventMeta meta, UUID callId, int attempt, long upTo, long cut, Instant leaseUntil, Instant deadline)
            implements TurnEvent, TurnEventSummaryRequestedBuilder.With {}

    /** Turns up to {@code upTo} are shown to the model as this summary from now on. */
    record Summarised(EventMeta meta, UUID callId, String summary, long upTo, long cut, Usage usage, String model)
            implements TurnEvent {}

    /** No summary came; the next one is tried after {@code retryAt}. */
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

    /** Whether the event is for others to see; the rest only changes the state. */
    default boolean isPublished() {
        return !(this instanceof LeaseRenewed
                || this instanceof WaiterAdded
                || this instanceof GuardrailAsked
                || this instanceof RecollectionChanged
                || this instanceof TurnRemembered);
    }
}
