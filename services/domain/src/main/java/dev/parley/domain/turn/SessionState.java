package dev.parley.domain.turn;

import dev.parley.domain.RecordKey;
import dev.parley.domain.content.Block;
import dev.parley.domain.memory.BankRef;
import dev.parley.domain.memory.Directive;
import dev.parley.domain.permission.PermissionRule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The header of a session: everything the machine needs to decide, except the messages themselves, which stand in the
 * store one entry an item.
 *
 * @param session what the key stands for now, or null before its first command
 * @param lastSeq number of the newest published event
 * @param queue turns that wait, first one first
 * @param summary a summary that was asked for and has not come, or null
 * @param summaryNotBefore no summary is asked for before, after one that failed
 * @param seeding what has not arrived whole, or null
 * @param spent what all turns of the session used
 * @param fresh how many fresh delegates of each agent there were
 * @param todos what the agent does, as it wrote it down last
 * @param disclosed what models see besides what every request carries
 * @param reverting files that were asked to be put back and have not been, or null
 */
public record SessionState(
        RecordKey key,
        @Nullable Session session,
        long lastSeq,
        Context context,
        List<QueuedTurn> queue,
        @Nullable ActiveTurn active,
        @Nullable PendingSummary summary,
        @Nullable Instant summaryNotBefore,
        @Nullable Seeding seeding,
        Usage spent,
        Map<String, Integer> fresh,
        List<Todo> todos,
        Disclosed disclosed,
        @Nullable PendingRevert reverting) {

    public SessionState {
        queue = List.copyOf(queue);
        fresh = Map.copyOf(fresh);
        todos = List.copyOf(todos);
    }

    /** A key that nothing has happened to. */
    public static SessionState initial(RecordKey key) {
        return new SessionState(
                key,
                null,
                0,
                Context.EMPTY,
                List.of(),
                null,
                null,
                null,
                null,
                Usage.NONE,
                Map.of(),
                List.of(),
                Disclosed.NONE,
                null);
    }

    /** The session; call it only where there is one. */
    public Session open() {
        return Objects.requireNonNull(session, "the session was not opened");
    }

    /** The active turn; call it only where there is one. */
    public ActiveTurn running() {
        return Objects.requireNonNull(active, "no turn is active");
    }

    /** The turn with this id, if it runs or waits. */
    Optional<QueuedTurn> turn(UUID turnId) {
        return Stream.concat(Stream.ofNullable(active).map(ActiveTurn::turn), queue.stream())
                .filter(turn -> turn.turnId().equals(turnId))
                .findFirst();
    }

    /** Whether the session exists and is not deleted. */
    public boolean exists() {
        return session != null && session.status() != SessionStatus.DELETED;
    }

    /** Whether a session from elsewhere arrives under this key, and nothing else may happen to it. */
    boolean isArriving() {
        return seeding != null && seeding.whole();
    }

    SessionState withSession(Session value) {
        return new SessionState(
                key,
                value,
                lastSeq,
                context,
                queue,
                active,
                summary,
                summaryNotBefore,
                seeding,
                spent,
                fresh,
                todos,
                disclosed,
                reverting);
    }

    SessionState withLastSeq(long value) {
        return new SessionState(
                key,
                session,
                value,
                context,
                queue,
                active,
                summary,
                summaryNotBefore,
                seeding,
                spent,
                fresh,
                todos,
                disclosed,
                reverting);
    }

    SessionState withContext(Context value) {
        return new SessionState(
                key,
                session,
                lastSeq,
                value,
                queue,
                active,
                summary,
                summaryNotBefore,
                seeding,
                spent,
                fresh,
                todos,
                disclosed,
                reverting);
    }

    SessionState withQueue(List<QueuedTurn> value) {
        return new SessionState(
                key,
                session,
                lastSeq,
                context,
                value,
                active,
                summary,
                summaryNotBefore,
                seeding,
                spent,
                fresh,
                todos,
                disclosed,
                reverting);
    }

    SessionState withActive(@Nullable ActiveTurn value) {
        return new SessionState(
                key,
                session,
                lastSeq,
                context,
                queue,
                value,
                summary,
                summaryNotBefore,
                seeding,
                spent,
                fresh,
                todos,
                disclosed,
                reverting);
    }

    SessionState withSummary(@Nullable PendingSummary value, @Nullable Instant notBefore) {
        return new SessionState(
                key, session, lastSeq, context, queue, active, value, notBefore, seeding, spent, fresh, todos,
                disclosed, reverting);
    }

    SessionState withSeeding(@Nullable Seeding value) {
        return new SessionState(
                key,
                session,
                lastSeq,
                context,
                queue,
                active,
                summary,
                summaryNotBefore,
                value,
                spent,
                fresh,
                todos,
                disclosed,
                reverting);
    }

    SessionState withSpent(Usage value) {
        return new SessionState(
                key,
                session,
                lastSeq,
                context,
                queue,
                active,
                summary,
                summaryNotBefore,
                seeding,
                value,
                fresh,
                todos,
                disclosed,
                reverting);
    }

    SessionState withFresh(Map<String, Integer> value) {
        return new SessionState(
                key,
                session,
                lastSeq,
                context,
                queue,
                active,
                summary,
                summaryNotBefore,
                seeding,
                spent,
                value,
                todos,
                disclosed,
                reverting);
    }

    SessionState withTodos(List<Todo> value) {
        return new SessionState(
                key,
                session,
                lastSeq,
                context,
                queue,
                active,
                summary,
                summaryNotBefore,
                seeding,
                spent,
                fresh,
                value,
                disclosed,
                reverting);
    }

    SessionState withDisclosed(Disclosed value) {
        return new SessionState(
                key,
                session,
                lastSeq,
                context,
                queue,
                active,
                summary,
                summaryNotBefore,
                seeding,
                spent,
                fresh,
                todos,
                value,
                reverting);
    }

    SessionState withReverting(@Nullable PendingRevert value) {
        return new SessionState(
                key,
                session,
                lastSeq,
                context,
                queue,
                active,
                summary,
                summaryNotBefore,
                seeding,
                spent,
                fresh,
                todos,
                disclosed,
                value);
    }

    /** Without what the agent wrote down for itself and what its models were shown. */
    SessionState forgetful() {
        return withTodos(List.of()).withDisclosed(Disclosed.NONE);
    }

    /**
     * What the key stands for.
     *
     * @param turns number of the newest turn
     * @param settings how its turns are to be answered, where that is not as their agent says
     * @param permissions its own rules about tool calls
     * @param shared whether others than its user take part, or read what is said
     * @param remembered banks that remember something of it, or of earlier ones under the key
     * @param directives of its banks, as they said when they were asked last; the most important first
     * @param instructed names the instructions of the agent that its model was told last, or null
     */
    public record Session(
            UUID host,
            UUID sessionId,
            long epoch,
            SessionStatus status,
            String agent,
            String channel,
            @Nullable String channelId,
            @Nullable UUID parentSessionId,
            int depth,
            @Nullable String user,
            long turns,
            @Nullable Settings settings,
            List<PermissionRule> permissions,
            boolean shared,
            List<BankRef> remembered,
            List<Directive> directives,
            @Nullable UUID instructed) {
        public Session {
            permissions = List.copyOf(permissions);
            remembered = List.copyOf(remembered);
            directives = List.copyOf(directives);
        }

        Session withStatus(SessionStatus value) {
            return but(copy -> copy.status = value);
        }

        /** Deleted, with nothing in it that anybody said. */
        Session erased() {
            return but(copy -> {
                copy.status = SessionStatus.DELETED;
                copy.channelId = null;
                copy.settings = null;
                copy.permissions = List.of();
                copy.remembered = List.of();
                copy.directives = List.of();
                copy.instructed = null;
            });
        }

        /** The same, of which this bank remembers something, too. */
        Session rememberedIn(BankRef bank) {
            return but(copy -> copy.remembered =
                    Stream.concat(remembered.stream(), Stream.of(bank)).toList());
        }

        /** The same, where others than its user read what is said. */
        Session withShared() {
            return but(copy -> copy.shared = true);
        }

        Session withTurns(long value) {
            return but(copy -> copy.turns = value);
        }

        Session withSettings(@Nullable Settings value) {
            return but(copy -> copy.settings = value);
        }

        Session withPermissions(List<PermissionRule> value) {
            return but(copy -> copy.permissions = value);
        }

        /** The same, with the directives of its banks as they are now. */
        Session directedBy(List<Directive> value) {
            return but(copy -> copy.directives = value);
        }

        /** The same, after its model was told these instructions. */
        Session instructedBy(UUID value) {
            return but(copy -> copy.instructed = value);
        }

        private Session but(Consumer<Copy> change) {
            var copy = new Copy(this);
            change.accept(copy);
            return new Session(
                    host,
                    sessionId,
                    epoch,
                    copy.status,
                    agent,
                    channel,
                    copy.channelId,
                    parentSessionId,
                    depth,
                    user,
                    copy.turns,
                    copy.settings,
                    copy.permissions,
                    copy.shared,
                    copy.remembered,
                    copy.directives,
                    copy.instructed);
        }

        /** What may change of a session. */
        private static final class Copy {
            private SessionStatus status;
            private @Nullable String channelId;
            private long turns;
            private @Nullable Settings settings;
            private List<PermissionRule> permissions;
            private boolean shared;
            private List<BankRef> remembered;
            private List<Directive> directives;
            private @Nullable UUID instructed;

            private Copy(Session of) {
                status = of.status;
                channelId = of.channelId;
                turns = of.turns;
                settings = of.settings;
                permissions = of.permissions;
                shared = of.shared;
                remembered = of.remembered;
                directives = of.directives;
                instructed = of.instructed;
            }
        }
    }

    /**
     * Which entries the model is shown: those from {@code from} to before {@code next}, after the summary.
     *
     * @param first the oldest entry that the store still has to keep
     * @param bytes weight of all entries ever; {@code bytes - base} is that of those which are shown
     * @param summary what stands for the turns up to {@code summaryUpTo}, or null
     * @param turns where the turns that are shown begin, oldest first
     * @param marks points to come back to
     * @param reversion what was taken back and can still be brought back, or null; its entries stay in the store
     */
    public record Context(
            long first,
            long from,
            long next,
            long bytes,
            long base,
            @Nullable String summary,
            long summaryUpTo,
            List<TurnStart> turns,
            Map<String, Mark> marks,
            @Nullable Reversion reversion) {
        static final Context EMPTY = new Context(0, 0, 0, 0, 0, null, 0, List.of(), Map.of());

        /** One of which nothing was taken back that could be brought back. */
        Context(
                long first,
                long from,
                long next,
                long bytes,
                long base,
                @Nullable String summary,
                long summaryUpTo,
                List<TurnStart> turns,
                Map<String, Mark> marks) {
            this(first, from, next, bytes, base, summary, summaryUpTo, turns, marks, null);
        }

        public Context {
            turns = List.copyOf(turns);
            marks = Map.copyOf(marks);
        }

        /** About how many tokens the entries shown and the summary make: four characters each. */
        public long tokens() {
            return (bytes - base + (summary == null ? 0 : summary.length())) / 4;
        }

        Context appended(long weight) {
            return new Context(first, from, next + 1, bytes + weight, base, summary, summaryUpTo, turns, marks);
        }

        /** One entry is reserved; its weight is added when it is known. */
        Context weighed(long weight) {
            return new Context(first, from, next, bytes + weight, base, summary, summaryUpTo, turns, marks);
        }

        Context turnStarted(UUID turnId, long seq) {
            var more = new ArrayList<>(turns);
            more.add(new TurnStart(turnId, seq, next, bytes));
            return new Context(first, from, next, bytes, base, summary, summaryUpTo, more, marks);
        }

        Context cleared() {
            return new Context(kept(next, marks), next, next, bytes, bytes, null, 0, List.of(), marks);
        }

        Context fresh() {
            return new Context(next, next, next, bytes, bytes, null, 0, List.of(), Map.of());
        }

        Context summarised(String text, long upTo, long cut) {
            var kept = turns.stream().filter(turn -> turn.entry() >= cut).toList();
            long newBase = kept.isEmpty() ? bytes : kept.getFirst().bytes();
            return new Context(kept(cut, marks), cut, next, bytes, newBase, text, upTo, kept, marks);
        }

        private Mark mark() {
            return new Mark(from, next, bytes, base, summary, summaryUpTo, turns);
        }

        private Context at(Mark mark, Map<String, Mark> left) {
            return new Context(
                    first,
                    mark.from(),
                    mark.next(),
                    mark.bytes(),
                    mark.base(),
                    mark.summary(),
                    mark.summaryUpTo(),
                    mark.turns(),
                    left);
        }

        /** The number of the first entry of which the store has nothing. */
        long end() {
            return reversion == null ? next : reversion.before().next();
        }

        Context marked(String label) {
            var more = new java.util.HashMap<>(marks);
            more.put(label, mark());
            return new Context(first, from, next, bytes, base, summary, summaryUpTo, turns, more, reversion);
        }

        Context rewound(String label) {
            Mark mark = Objects.requireNonNull(marks.get(label), label);
            return at(mark, earlier(mark.next()));
        }

        /** Without the last turn that is shown. */
        Context undone() {
            return before(turns.size() - 1, null);
        }

        private Context before(int turn, @Nullable Reversion taken) {
            TurnStart cut = turns.get(turn);
            return new Context(
                    first,
                    from,
                    cut.entry(),
                    cut.bytes(),
                    base,
                    summary,
                    summaryUpTo,
                    turns.subList(0, turn),
                    earlier(cut.entry()),
                    taken);
        }

        /**
         * Without the turn of this number and all that follow, until they are brought back.
         *
         * @param seq number of the event that says so
         * @param call the call by which the files are put back
         */
        Context reverted(long turnSeq, long seq, UUID call) {
            int turn = turns.size()
                    - 1; // own turns come last: those of a session that this one is a fork of have its numbers
            while (turns.get(turn).seq() != turnSeq) {
                turn--;
            }
            return before(
                    turn,
                    reversion == null
                            ? new Reversion(seq, List.of(call), mark(), marks)
                            : new Reversion(
                                    reversion.seq(),
                                    Stream.concat(Stream.of(call), reversion.calls().stream())
                                            .toList(),
                                    reversion.before(),
                                    reversion.marks()));
        }

        /** With everything again that was taken back. */
        Context unreverted() {
            Reversion taken = Objects.requireNonNull(reversion, "nothing was taken back");
            var all = new java.util.HashMap<>(taken.marks());
            all.putAll(marks); // those that were set since
            return at(taken.before(), all);
        }

        /** Marks that lie after the point that is gone back to are void. */
        private Map<String, Mark> earlier(long limit) {
            var left = new java.util.HashMap<>(marks);
            left.values().removeIf(mark -> mark.next() > limit);
            return left;
        }

        Context seeded(@Nullable String text) {
            return new Context(next, next, next, bytes, bytes, text, 0, List.of(), Map.of());
        }

        private static long kept(long from, Map<String, Mark> marks) {
            return marks.values().stream().mapToLong(Mark::from).reduce(from, Math::min);
        }
    }

    /** Where a turn's entries begin; {@code bytes} is the weight of all entries before. */
    public record TurnStart(UUID turnId, long seq, long entry, long bytes) {}

    /** A context to come back to. */
    public record Mark(
            long from,
            long next,
            long bytes,
            long base,
            @Nullable String summary,
            long summaryUpTo,
            List<TurnStart> turns) {
        public Mark {
            turns = List.copyOf(turns);
        }
    }

    /**
     * What the context was before turns of it were taken back, once or several times.
     *
     * @param seq number of the event that took the first ones back
     * @param calls the calls by which files were put back, the last one first
     */
    public record Reversion(long seq, List<UUID> calls, Mark before, Map<String, Mark> marks) {
        public Reversion {
            calls = List.copyOf(calls);
            marks = Map.copyOf(marks);
        }
    }

    /**
     * A turn that waits.
     *
     * @param waiters partitions of {@code outcomes} where somebody waits for it
     * @param holdUntil not to be started before, or null
     * @param trace the W3C trace parent of what made it, or null
     */
    public record QueuedTurn(
            UUID turnId,
            long seq,
            Origin origin,
            MailboxMode mode,
            String agent,
            @Nullable Settings settings,
            List<Block> content,
            @Nullable String user,
            @Nullable ReplyAddress replyTo,
            @Nullable Parent parent,
            List<Integer> waiters,
            Instant acceptedAt,
            @Nullable Instant holdUntil,
            @Nullable String trace) {
        public QueuedTurn {
            content = List.copyOf(content);
            waiters = List.copyOf(waiters);
        }

        /** The turn at the top of the delegation in which this one works, or null where it is at the top itself. */
        @Nullable
        UUID top() {
            return parent == null ? null : parent.top();
        }

        QueuedTurn answeredBy(String name) {
            return new QueuedTurn(
                    turnId,
                    seq,
                    origin,
                    mode,
                    name,
                    settings,
                    content,
                    user,
                    replyTo,
                    parent,
                    waiters,
                    acceptedAt,
                    holdUntil,
                    trace);
        }

        QueuedTurn saying(List<Block> words) {
            return new QueuedTurn(
                    turnId,
                    seq,
                    origin,
                    mode,
                    agent,
                    settings,
                    words,
                    user,
                    replyTo,
                    parent,
                    waiters,
                    acceptedAt,
                    holdUntil,
                    trace);
        }

        QueuedTurn waitedForAt(@Nullable Integer partition) {
            return extended(List.of(), partition, holdUntil);
        }

        QueuedTurn extended(List<Block> more, @Nullable Integer partition, @Nullable Instant hold) {
            var all = new ArrayList<>(content);
            all.addAll(more);
            var watching = new ArrayList<>(waiters);
            if (partition != null && !watching.contains(partition)) {
                watching.add(partition);
            }
            return new QueuedTurn(
                    turnId,
                    seq,
                    origin,
                    mode,
                    agent,
                    settings,
                    all,
                    user,
                    replyTo,
                    parent,
                    watching,
                    acceptedAt,
                    hold,
                    trace);
        }
    }

    /**
     * The turn that runs.
     *
     * @param step number of the model call it is at, from 0
     * @param nextMessage number of its next message
     * @param model the model call that is awaited, or null
     * @param calls the tool calls of this step, in call order
     * @param steered messages that join before the next model call
     * @param lastCalls fingerprint of the newest step's calls
     * @param repeats how often in a row the same calls were made
     * @param lastStep the next model call is made without tools
     * @param cancelling why and until when it is waited for what the model had said, or null
     * @param said the assistant's text of this turn so far
     * @param lastModel the model that answered last, {@code provider/model}, or null
     * @param guarded how far guardrails have looked at it
     * @param recollection what it is reminded of
     */
    public record ActiveTurn(
            QueuedTurn turn,
            String agentVersion,
            Instant startedAt,
            Instant deadline,
            int step,
            int nextMessage,
            Usage usage,
            @Nullable ModelCall model,
            List<ToolCall> calls,
            List<List<Block>> steered,
            @Nullable UUID lastCalls,
            int repeats,
            boolean lastStep,
            @Nullable Cancelling cancelling,
            String said,
            @Nullable String lastModel,
            Guarded guarded,
            Recollection recollection) {
        public ActiveTurn {
            calls = List.copyOf(calls);
            steered = List.copyOf(steered);
        }

        /** The turn's id. */
        public UUID turnId() {
            return turn.turnId();
        }

        /** Where the turn stands, as others see it. */
        public TurnState state() {
            if (guarded.check() != null) {
                return TurnState.WAITING_TOOL;
            }
            if (model != null || calls.isEmpty() || recollection.asked() != null) {
                return TurnState.RUNNING_MODEL;
            }
            if (isAsking()) {
                return TurnState.WAITING_APPROVAL;
            }
            boolean tools = calls.stream().anyMatch(call -> !call.status().isFinal() && call.child() == null);
            return tools ? TurnState.WAITING_TOOL : TurnState.WAITING_CHILD;
        }

        /** Whether a person is asked whether a call may be carried out. */
        boolean isAsking() {
            return calls.stream().anyMatch(call -> call.approval() != null);
        }

        ActiveTurn withTurn(QueuedTurn value) {
            return new ActiveTurn(
                    value,
                    agentVersion,
                    startedAt,
                    deadline,
                    step,
                    nextMessage,
                    usage,
                    model,
                    calls,
                    steered,
                    lastCalls,
                    repeats,
                    lastStep,
                    cancelling,
                    said,
                    lastModel,
                    guarded,
                    recollection);
        }

        ActiveTurn withModel(@Nullable ModelCall value) {
            return new ActiveTurn(
                    turn,
                    agentVersion,
                    startedAt,
                    deadline,
                    step,
                    nextMessage,
                    usage,
                    value,
                    calls,
                    steered,
                    lastCalls,
                    repeats,
                    lastStep,
                    cancelling,
                    said,
                    lastModel,
                    guarded,
                    recollection);
        }

        ActiveTurn asking(int newStep, ModelCall call) {
            return new ActiveTurn(
                    turn,
                    agentVersion,
                    startedAt,
                    deadline,
                    newStep,
                    nextMessage,
                    usage,
                    call,
                    List.of(),
                    steered,
                    lastCalls,
                    repeats,
                    lastStep,
                    cancelling,
                    said,
                    lastModel,
                    guarded,
                    recollection);
        }

        ActiveTurn answered(Usage more, String text, String modelName) {
            return new ActiveTurn(
                    turn,
                    agentVersion,
                    startedAt,
                    deadline,
                    step,
                    nextMessage + 1,
                    usage.plus(more),
                    null,
                    List.of(),
                    steered,
                    lastCalls,
                    repeats,
                    lastStep,
                    cancelling,
                    joined(said, text),
                    modelName,
                    guarded.with(null),
                    recollection);
        }

        /** The recordings of the turn say what is in them. */
        ActiveTurn heard(TurnEvent.Transcribed event) {
            return new ActiveTurn(
                    turn.saying(event.heard(turn.content())),
                    agentVersion,
                    startedAt,
                    deadline,
                    step,
                    nextMessage,
                    usage.plus(event.usage()),
                    null,
                    calls,
                    steered.stream().map(event::heard).toList(),
                    lastCalls,
                    repeats,
                    lastStep,
                    cancelling,
                    said,
                    lastModel,
                    guarded,
                    recollection);
        }

        private static String joined(String before, String text) {
            return text.isBlank() ? before : before.isEmpty() ? text : before + "\n" + text;
        }

        ActiveTurn messageAppended() {
            var rest = steered.isEmpty() ? steered : steered.subList(1, steered.size());
            return new ActiveTurn(
                    turn,
                    agentVersion,
                    startedAt,
                    deadline,
                    step,
                    nextMessage + 1,
                    usage,
                    model,
                    calls,
                    rest,
                    lastCalls,
                    repeats,
                    lastStep,
                    cancelling,
                    said,
                    lastModel,
                    guarded.joined(rest.size() < steered.size()),
                    recollection.joined(rest.size() < steered.size()));
        }

        ActiveTurn withSteered(List<Block> content) {
            var more = new ArrayList<>(steered);
            more.add(content);
            return new ActiveTurn(
                    turn,
                    agentVersion,
                    startedAt,
                    deadline,
                    step,
                    nextMessage,
                    usage,
                    model,
                    calls,
                    more,
                    lastCalls,
                    repeats,
                    lastStep,
                    cancelling,
                    said,
                    lastModel,
                    guarded,
                    recollection);
        }

        /** A message that came in: 0 for the turn's own, then those that joined and wait for the next model call. */
        Optional<List<Block>> input(int message) {
            if (message == 0) {
                return Optional.of(turn.content());
            }
            return message <= steered.size() ? Optional.of(steered.get(message - 1)) : Optional.empty();
        }

        /** Guardrails have looked at a message that came in. @param content in its place, or null where it stays */
        ActiveTurn checked(int message, @Nullable List<Block> content) {
            var joined = new ArrayList<>(steered);
            if (content != null && message > 0) {
                joined.set(message - 1, content);
            }
            return new ActiveTurn(
                    content == null || message > 0 ? turn : turn.saying(content),
                    agentVersion,
                    startedAt,
                    deadline,
                    step,
                    nextMessage,
                    usage,
                    model,
                    calls,
                    joined,
                    lastCalls,
                    repeats,
                    lastStep,
                    cancelling,
                    said,
                    lastModel,
                    guarded.pass(),
                    recollection);
        }

        ActiveTurn withGuarded(Guarded value) {
            return new ActiveTurn(
                    turn,
                    agentVersion,
                    startedAt,
                    deadline,
                    step,
                    nextMessage,
                    usage,
                    model,
                    calls,
                    steered,
                    lastCalls,
                    repeats,
                    lastStep,
                    cancelling,
                    said,
                    lastModel,
                    value,
                    recollection);
        }

        ActiveTurn withRecollection(Recollection value) {
            return new ActiveTurn(
                    turn,
                    agentVersion,
                    startedAt,
                    deadline,
                    step,
                    nextMessage,
                    usage,
                    model,
                    calls,
                    steered,
                    lastCalls,
                    repeats,
                    lastStep,
                    cancelling,
                    said,
                    lastModel,
                    guarded,
                    value);
        }

        ActiveTurn withCalls(List<ToolCall> value) {
            return new ActiveTurn(
                    turn,
                    agentVersion,
                    startedAt,
                    deadline,
                    step,
                    nextMessage,
                    usage,
                    model,
                    value,
                    steered,
                    lastCalls,
                    repeats,
                    lastStep,
                    cancelling,
                    said,
                    lastModel,
                    guarded,
                    recollection);
        }

        ActiveTurn withCall(ToolCall changed) {
            return withCalls(calls.stream()
                    .map(call -> call.callId().equals(changed.callId()) ? changed : call)
                    .toList());
        }

        ActiveTurn withDeadline(Instant value) {
            return new ActiveTurn(
                    turn,
                    agentVersion,
                    startedAt,
                    value,
                    step,
                    nextMessage,
                    usage,
                    model,
                    calls,
                    steered,
                    lastCalls,
                    repeats,
                    lastStep,
                    cancelling,
                    said,
                    lastModel,
                    guarded,
                    recollection);
        }

        ActiveTurn withRepeats(UUID fingerprint, int count, boolean last) {
            return new ActiveTurn(
                    turn,
                    agentVersion,
                    startedAt,
                    deadline,
                    step,
                    nextMessage,
                    usage,
                    model,
                    calls,
                    steered,
                    fingerprint,
                    count,
                    last,
                    cancelling,
                    said,
                    lastModel,
                    guarded,
                    recollection);
        }

        ActiveTurn withCancelling(Cancelling value) {
            return new ActiveTurn(
                    turn,
                    agentVersion,
                    startedAt,
                    deadline,
                    step,
                    nextMessage,
                    usage,
                    model,
                    calls,
                    steered,
                    lastCalls,
                    repeats,
                    lastStep,
                    value,
                    said,
                    lastModel,
                    guarded,
                    recollection);
        }
    }

    /**
     * How far guardrails have looked at a turn.
     *
     * @param passed how many of the messages that came in they have looked at: the turn's own, then those that joined and
     *     wait for the next model call
     * @param asked how many calls of their tools there were
     * @param check what waits for one of them, or null
     */
    public record Guarded(int passed, int asked, @Nullable Check check) {
        static final Guarded NONE = new Guarded(0, 0, null);

        Guarded with(@Nullable Check value) {
            return new Guarded(passed, asked, value);
        }

        Guarded asking(Check value) {
            return new Guarded(passed, asked + (value.asked().attempt() == 1 ? 1 : 0), value);
        }

        Guarded pass() {
            return new Guarded(passed + 1, asked, null);
        }

        /** The first message that joined stands in the context, where it did. */
        Guarded joined(boolean did) {
            return did && passed > 1 ? new Guarded(passed - 1, asked, check) : this;
        }
    }

    /**
     * A message that guardrails look at, piece by piece, one guardrail after the other.
     *
     * @param step number of the model call that it comes before or from
     * @param blocks the message, as far as it is rewritten
     * @param answer what the model answered, without its blocks; null for a message that came in
     * @param piece number of the {@linkplain Spoken piece}
     * @param guard number of the guardrail among those of the stage
     * @param guardrail name of the one whose tool is asked; empty where none is
     * @param call of that tool, or null
     */
    public record Check(
            GuardrailStage stage,
            int step,
            List<Block> blocks,
            CallResult.@Nullable ModelAnswered answer,
            int piece,
            int guard,
            String guardrail,
            @Nullable ToolCall call) {
        public Check {
            blocks = List.copyOf(blocks);
        }

        static Check ofInput(int step, List<Block> blocks) {
            return new Check(GuardrailStage.INPUT, step, blocks, null, 0, 0, "", null);
        }

        static Check ofOutput(int step, CallResult.ModelAnswered answer) {
            var rest = answer.saying(List.of(), answer.raw());
            return new Check(GuardrailStage.OUTPUT, step, answer.blocks(), rest, 0, 0, "", null);
        }

        /** The call of the tool that is asked; call it only where one is. */
        ToolCall asked() {
            return Objects.requireNonNull(call, "no tool is asked");
        }

        /** The answer as it is now; call it only where there is one. */
        CallResult.ModelAnswered answered() {
            var rest = Objects.requireNonNull(answer, "nobody answered");
            return rest.saying(blocks, rest.raw());
        }

        /** Whether there is anything left to look at. */
        boolean isIn() {
            return piece < Spoken.count(blocks);
        }

        String text() {
            return Spoken.text(blocks, piece);
        }

        boolean isArguments() {
            return Spoken.isArguments(blocks, piece);
        }

        /** The tool whose arguments the piece is, or null. */
        @Nullable
        String calls() {
            return Spoken.calls(blocks, piece);
        }

        Check nextPiece() {
            return new Check(stage, step, blocks, answer, piece + 1, 0, "", null);
        }

        /** The same piece once more, from the first guardrail on. */
        Check again() {
            return new Check(stage, step, blocks, answer, piece, 0, "", null);
        }

        /** With what a guardrail made of the piece, for the next one. */
        Check after(Verdict verdict) {
            boolean stays =
                    verdict.action() == GuardrailAction.ALLOW || verdict.text().equals(text());
            return new Check(
                    stage,
                    step,
                    stays ? blocks : Spoken.with(blocks, piece, verdict.text()),
                    stays || answer == null ? answer : answer.saying(List.of(), null),
                    piece,
                    guard + 1,
                    "",
                    null);
        }

        Check asking(String rail, ToolCall tool) {
            return new Check(stage, step, blocks, answer, piece, guard, rail, tool);
        }
    }

    /** A turn that is being cancelled; after {@code until} it ends without the worker's last words. */
    public record Cancelling(String reason, Instant until) {}

    /**
     * A model call that is awaited; it is made again at {@code retryAt} where that is not null.
     *
     * @param failures how many attempts failed or were lost; one that was told to come back later is none of them
     * @param recordings those that it is to write down; none where it is asked for a reply
     */
    public record ModelCall(
            UUID callId,
            int attempt,
            int failures,
            boolean toolsAllowed,
            List<Block.File> recordings,
            Instant leaseUntil,
            @Nullable Instant retryAt) {
        public ModelCall {
            recordings = List.copyOf(recordings);
        }

        /** What it is made for. */
        ModelRequest.Purpose purpose() {
            return recordings.isEmpty() ? ModelRequest.Purpose.REPLY : ModelRequest.Purpose.TRANSCRIPT;
        }

        ModelCall failed(Instant again) {
            return new ModelCall(callId, attempt, failures + 1, toolsAllowed, recordings, leaseUntil, again);
        }

        ModelCall delayed(Instant again) {
            return new ModelCall(callId, attempt, failures, toolsAllowed, recordings, leaseUntil, again);
        }

        ModelCall leased(Instant until) {
            return new ModelCall(callId, attempt, failures, toolsAllowed, recordings, until, retryAt);
        }

        /** Failures including this attempt, should it be given up because nobody has it any more. */
        int failuresWhenAskedAgain() {
            return retryAt == null ? failures + 1 : failures;
        }
    }

    /**
     * A tool call of the current step.
     *
     * @param failures how many attempts were lost; one that was told to come back later is none of them
     * @param version of the tool; empty for one that comes with a program
     * @param entry where in the context its result belongs
     * @param child the session that carries it out, or null for a tool
     * @param approval the question that has to be answered first, or null
     */
    public record ToolCall(
            UUID callId,
            int index,
            int attempt,
            int failures,
            int message,
            int part,
            String toolCallId,
            String name,
            String arguments,
            String version,
            long entry,
            @Nullable RecordKey child,
            ToolStatus status,
            Instant leaseUntil,
            Instant deadline,
            @Nullable Instant retryAt,
            @Nullable Approval approval) {
        /** A call that no model made: it has no place in a message. */
        static ToolCall ofMachine(
                UUID callId, String tool, String version, String arguments, Instant lease, Instant deadline) {
            return new ToolCall(
                    callId,
                    0,
                    1,
                    0,
                    0,
                    0,
                    "",
                    tool,
                    arguments,
                    version,
                    0,
                    null,
                    ToolStatus.RUNNING,
                    lease,
                    deadline,
                    null,
                    null);
        }

        ToolCall asked(int newAttempt, Instant lease) {
            int lost = retryAt == null ? failures + 1 : failures;
            return new ToolCall(
                    callId,
                    index,
                    newAttempt,
                    lost,
                    message,
                    part,
                    toolCallId,
                    name,
                    arguments,
                    version,
                    entry,
                    child,
                    status,
                    lease,
                    deadline,
                    null,
                    null);
        }

        ToolCall delayed(Instant again) {
            return new ToolCall(
                    callId,
                    index,
                    attempt,
                    failures,
                    message,
                    part,
                    toolCallId,
                    name,
                    arguments,
                    version,
                    entry,
                    child,
                    status,
                    leaseUntil,
                    deadline,
                    again,
                    approval);
        }

        ToolCall leased(Instant until) {
            return new ToolCall(
                    callId,
                    index,
                    attempt,
                    failures,
                    message,
                    part,
                    toolCallId,
                    name,
                    arguments,
                    version,
                    entry,
                    child,
                    status,
                    until,
                    deadline,
                    retryAt,
                    approval);
        }

        ToolCall waitingFor(Approval asked) {
            return new ToolCall(
                    callId,
                    index,
                    attempt,
                    failures,
                    message,
                    part,
                    toolCallId,
                    name,
                    arguments,
                    version,
                    entry,
                    child,
                    status,
                    leaseUntil,
                    deadline,
                    retryAt,
                    asked);
        }

        /** It was answered whether it may be carried out: the time that it waited for this is not its own. */
        ToolCall answered(Instant now) {
            Duration waited = approval == null ? Duration.ZERO : Duration.between(approval.askedAt(), now);
            return new ToolCall(
                    callId,
                    index,
                    attempt,
                    failures,
                    message,
                    part,
                    toolCallId,
                    name,
                    arguments,
                    version,
                    entry,
                    child,
                    status,
                    now.plus(TurnMachine.LEASE),
                    deadline.plus(waited),
                    retryAt,
                    null);
        }

        ToolCall ended(ToolStatus end) {
            return new ToolCall(
                    callId,
                    index,
                    attempt,
                    failures,
                    message,
                    part,
                    toolCallId,
                    name,
                    "",
                    version,
                    entry,
                    child,
                    end,
                    leaseUntil,
                    deadline,
                    null,
                    null);
        }
    }

    /** A person is asked whether a tool call may be carried out. */
    public record Approval(UUID approvalId, Instant askedAt, Instant expiresAt) {}

    /** A summary that was asked for: it covers the entries before {@code cut}, the turns up to {@code upTo}. */
    public record PendingSummary(UUID callId, int attempt, long upTo, long cut, Instant leaseUntil, Instant deadline) {
        PendingSummary nextAttempt() {
            return new PendingSummary(callId, attempt + 1, upTo, cut, leaseUntil, deadline);
        }

        PendingSummary leased(Instant until) {
            return new PendingSummary(callId, attempt, upTo, cut, until, deadline);
        }
    }

    /**
     * Files that were asked to be put back.
     *
     * @param commandId the command that wanted it
     * @param waiter partition of {@code outcomes} where somebody waits for it, or null
     * @param user who wanted it, or null
     * @param arguments which files: JSON for the tool {@link ToolSpec#FILES_REVERT}
     */
    public record PendingRevert(
            UUID callId,
            int attempt,
            UUID commandId,
            @Nullable Integer waiter,
            @Nullable String user,
            String arguments,
            Instant leaseUntil,
            Instant deadline) {
        PendingRevert nextAttempt(Instant lease) {
            return new PendingRevert(callId, attempt + 1, commandId, waiter, user, arguments, lease, deadline);
        }

        PendingRevert leased(Instant until) {
            return new PendingRevert(callId, attempt, commandId, waiter, user, arguments, until, deadline);
        }
    }

    /**
     * A fork's context, or a whole session from elsewhere, that is arriving.
     *
     * @param forkId id of the fork or of the import
     * @param next the piece that comes next
     * @param until when the pieces of a fork may come; those of an import may come at any time
     * @param whole whether a whole session arrives, and nothing else may happen to it before it is there
     */
    public record Seeding(UUID forkId, int next, int pieces, Instant until, boolean whole) {}
}
