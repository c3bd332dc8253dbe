package dev.parley.platform.kafka;

import dev.parley.domain.access.AccessRecord;
import dev.parley.domain.access.KeyUsed;
import dev.parley.domain.audit.AuditEntry;
import dev.parley.domain.definition.Definition;
import dev.parley.domain.erasure.ErasureRecord;
import dev.parley.domain.memory.EmbedRequest;
import dev.parley.domain.memory.MemoryCommand;
import dev.parley.domain.memory.MemoryEvent;
import dev.parley.domain.memory.RecallRequest;
import dev.parley.domain.permission.RuleRequest;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.ModelWork;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.Reply;
import dev.parley.domain.protocol.ToolWork;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.protocol.TurnDelta;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.workflow.WorkflowCommand;
import dev.parley.domain.workflow.WorkflowEvent;
import dev.parley.domain.workflow.WorkflowWork;
import dev.parley.platform.kafka.Topic.Cleanup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** All topics. {@code session} is the record key of a session, {@code {project}/{session key}}. */
public final class Topics {
    private static final int ONE_MIB = 1 << 20;
    private static final List<Topic<?>> ALL = new ArrayList<>();
    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9._-]{1,249}");

    public static final Topic<TurnCommand> TURN_COMMANDS =
            deleted("turn-commands", TurnCommand.class, "session", days(7), 8);

    /** Keyed {@code {session}#{seq}} and partitioned by session: compaction keeps all until a tombstone removes it. */
    public static final Topic<TurnEvent> TURN_EVENTS = compacted("turn-events", TurnEvent.class, "session#seq", 8);

    public static final Topic<ModelWork> MODEL_REQUESTS =
            deleted("model-requests", ModelWork.class, "session", days(1), 8);
    public static final Topic<ToolWork> TOOL_REQUESTS = deleted("tool-requests", ToolWork.class, "session", days(1), 8);

    /** Results of workers and child sessions, keyed by the requesting session. */
    public static final Topic<CallResult> RESULTS = deleted("results", CallResult.class, "session", days(1), 8);

    /** Messages that channels deliver, keyed by bot: the owner of the partition is the sender of the bot. */
    public static final Topic<Reply> REPLIES = deleted("replies", Reply.class, "bot", days(7), 2);

    /** Pieces of running turns for subscribers; best effort. */
    public static final Topic<TurnDelta> TURN_DELTAS =
            deleted("turn-deltas", TurnDelta.class, "session", Duration.ofHours(1), 2);

    /** Outcomes of commands: each waiting instance owns a partition, which its commands name. */
    public static final Topic<Outcome> OUTCOMES = deleted("outcomes", Outcome.class, "none", Duration.ofHours(1), 2);

    /** Current agents and tools, keyed {@code {kind}/{name}}; without secrets. */
    public static final Topic<Definition> DEFINITIONS = compacted("definitions", Definition.class, "kind/name", 2);

    /** Access rights: people, projects, members, digests of keys, settings. */
    public static final Topic<AccessRecord> ACCESS = compacted("access", AccessRecord.class, "kind/id", 1);

    /** Erasures, and the services that have removed their data. */
    public static final Topic<ErasureRecord> ERASURES =
            compacted("erasures", ErasureRecord.class, "erasure/service", 1);

    /** Copies of the events of projects that enable them, each project in one partition. */
    public static final Topic<byte[]> PROJECT_CHANGES =
            compacted("project-changes", byte[].class, "project id/session#seq", 8);

    /** Requests with API keys, to be counted. */
    public static final Topic<KeyUsed> KEY_USAGE = deleted("key-usage", KeyUsed.class, "key id", days(7), 1);

    /** Audit entries of other services, which the control service stores. */
    public static final Topic<AuditEntry> AUDIT = deleted("audit", AuditEntry.class, "host", days(7), 1);

    /** Rules of people who answered an approval with "always": the control service creates them. */
    public static final Topic<RuleRequest> RULE_REQUESTS =
            deleted("rule-requests", RuleRequest.class, "host", days(7), 1);

    /** Commands to memory banks. */
    public static final Topic<MemoryCommand> MEMORY_COMMANDS =
            deleted("memory-commands", MemoryCommand.class, "bank", days(7), 8);

    /** Events of banks, keyed {@code {bank}#{seq}} and partitioned by bank, like {@link #TURN_EVENTS}. */
    public static final Topic<MemoryEvent> MEMORY_EVENTS = compacted("memory-events", MemoryEvent.class, "bank#seq", 8);

    /** Recall requests; the owner of the bank answers on {@link #OUTCOMES}. */
    public static final Topic<RecallRequest> RECALL_REQUESTS =
            deleted("recall-requests", RecallRequest.class, "bank", days(1), 1);

    /** Texts that banks need embeddings of. */
    public static final Topic<EmbedRequest> EMBED_REQUESTS =
            deleted("embed-requests", EmbedRequest.class, "bank", days(1), 8);

    /** Commands to workflow processes. */
    public static final Topic<WorkflowCommand> WORKFLOW_COMMANDS =
            deleted("workflow-commands", WorkflowCommand.class, "process", days(7), 8);

    /** Events of processes, keyed {@code {process}#{seq}} and partitioned by process, like {@link #TURN_EVENTS}. */
    public static final Topic<WorkflowEvent> WORKFLOW_EVENTS =
            compacted("workflow-events", WorkflowEvent.class, "process#seq", 8);

    /** Calls of processes to workers. */
    public static final Topic<WorkflowWork> WORKFLOW_REQUESTS =
            deleted("workflow-requests", WorkflowWork.class, "process", days(1), 8);

    /** Records that could not be read or processed: bytes and headers unchanged, and the cause. */
    public static final Topic<byte[]> DEAD_LETTERS =
            deleted("dead-letters", byte[].class, "that of the record", days(30), 10);

    private static final String HISTORY =
            "what happened gives nobody rights, and what a release before 0.2.0 wrote of it cannot be signed anew";

    /** Topics whose records are not signed, and why. All others are signed, see {@link RecordSignatures}. */
    private static final Map<Topic<?>, String> UNSIGNED = Map.of(
            TURN_EVENTS, HISTORY,
            MEMORY_EVENTS, HISTORY,
            WORKFLOW_EVENTS, HISTORY,
            PROJECT_CHANGES, "copies for other programs; Parley does not read them",
            DEAD_LETTERS, "holds what was refused; a record that is sent again has the signature that it had");

    private static final Set<String> SIGNED = ALL.stream()
            .filter(topic -> !UNSIGNED.containsKey(topic))
            .map(Topic::name)
            .collect(Collectors.toUnmodifiableSet());

    /** Maximum time for which erased data remains in topics with a retention. */
    public static Duration logKept() {
        return all().stream()
                .map(Topic::retention)
                .filter(Objects::nonNull)
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO)
                .plus(Topic.COMPACTED_WITHIN);
    }

    private Topics() {}

    /** All topics. */
    public static List<Topic<?>> all() {
        return List.copyOf(ALL);
    }

    /** Whether the records of the topic with this name are signed, and refused otherwise. */
    public static boolean isSigned(String name) {
        return SIGNED.contains(name);
    }

    /** Why the records of a topic are not signed; empty if they are. */
    public static Optional<String> unsignedBecause(Topic<?> topic) {
        return Optional.ofNullable(UNSIGNED.get(topic));
    }

    /** The topic with this name. */
    public static Optional<Topic<?>> find(String name) {
        return all().stream().filter(topic -> topic.name().equals(name)).findFirst();
    }

    /** Whether a text is a valid name of a topic. */
    public static boolean isName(String name) {
        return NAME.matcher(name).matches() && !name.equals(".") && !name.equals("..");
    }

    /** Whether the topic belongs to Parley, including mirrors and internal topics, or to the brokers. */
    public static boolean isOwn(String name) {
        return name.startsWith("parley-")
                || name.startsWith("__")
                || JsonTopics.isMirror(name)
                || find(name).isPresent();
    }

    private static Duration days(int days) {
        return Duration.ofDays(days);
    }

    private static <V> Topic<V> deleted(
            String name, Class<V> type, String key, @Nullable Duration retention, int maxMiB) {
        return register(new Topic<>(name, type, key, Cleanup.DELETE, retention, maxMiB * ONE_MIB));
    }

    private static <V> Topic<V> compacted(String name, Class<V> type, String key, int maxMiB) {
        return register(new Topic<>(name, type, key, Cleanup.COMPACT, null, maxMiB * ONE_MIB));
    }

    private static <V> Topic<V> register(Topic<V> topic) {
        ALL.add(topic);
        return topic;
    }
}
