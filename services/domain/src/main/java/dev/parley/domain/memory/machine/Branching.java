package dev.parley.domain.memory.machine;

import dev.parley.domain.Ids;
import dev.parley.domain.bank.BankRef;
import dev.parley.domain.memory.BankState;
import dev.parley.domain.memory.BankView;
import dev.parley.domain.memory.Branches;
import dev.parley.domain.memory.Branches.Copying;
import dev.parley.domain.memory.MemoryCommand.Adopt;
import dev.parley.domain.memory.MemoryCommand.Branch;
import dev.parley.domain.memory.MemoryCommand.Forget;
import dev.parley.domain.memory.MemoryEffect;
import dev.parley.domain.memory.MemoryEvent;
import dev.parley.domain.memory.MemoryEvent.BranchBegun;
import dev.parley.domain.memory.MemoryEvent.Branched;
import dev.parley.domain.memory.MemoryEvent.DocumentRetained;
import dev.parley.domain.memory.MemoryEvent.Reflected;
import dev.parley.domain.memory.MemoryEvent.UnitEmbedded;
import dev.parley.domain.memory.MemoryEvent.UnitLearned;
import dev.parley.domain.memory.MemoryMeta;
import dev.parley.domain.protocol.CommandMeta;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Branching: creates a bank with the contents of another one at some time.
 *
 * <pre>
 *   Branch ──► the bank sends its events up to then to the branch, in batches ──► Adopt
 *     └─ the branch appends them as its own, with their times ──► Branched: an independent bank from then on
 *   Forget in the bank ──► Forget in its branches
 * </pre>
 *
 * Erased content is never copied. If content is erased after it was sent, its erasure follows it in the order of commands,
 * since both come from the same sender, and is applied in the branch, too.
 */
final class Branching {
    /** Maximum branches over the life of a bank. */
    static final int MAX_BRANCHES = 20;

    /** Maximum events per batch. */
    static final int EVENTS = 64;

    /** Maximum characters of documents per batch, not counting the last document: a batch is one record. */
    static final int CHARACTERS = 200_000;

    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,59}");

    private Branching() {}

    static void branch(MemoryDraft draft, Branch command) {
        BankState state = draft.state();
        Branches branches = state.branches();
        if (state.bank() == null) {
            draft.refuse("unknown_bank", "the bank to branch does not exist");
        } else if (state.open().branch() != null) {
            draft.refuse("no_branch_of_a_branch", "a branch has no branches: branch the bank itself");
        } else if (!NAME.matcher(command.name()).matches()) {
            draft.refuse("invalid_name", "a branch has 1 to 60 small letters, digits and hyphens as its name");
        } else if (branches.names().contains(command.name())) {
            draft.refuse("name_taken", "the bank has, or had, a branch of this name: take another one");
        } else if (branches.names().size() >= MAX_BRANCHES) {
            draft.refuse("too_many", "a bank has at most " + MAX_BRANCHES + " branches in all");
        } else {
            begin(draft, command);
        }
    }

    private static void begin(MemoryDraft draft, Branch command) {
        long last = draft.state().lastSeq();
        var copying = new Copying(
                command.name(), 1, command.number() == null ? last : Math.min(command.number(), last), command.at());
        if (draft.view().log().from(1, 1).stream().noneMatch(copying::includes)) {
            draft.refuse("nothing_then", "the bank was not there then: name a later moment");
            return;
        }
        draft.emit(meta -> new BranchBegun(meta, copying.name(), copying.upTo(), copying.at()));
        draft.accept(command.meta().commandId());
    }

    /** Sends the next batch of events to an incomplete branch. */
    static void tick(MemoryDraft draft) {
        Branches branches = draft.state().branches();
        if (branches.copying().isEmpty()) {
            return;
        }
        Copying copying = branches.copying().getFirst();
        Batch batch = Batch.next(draft.view().log(), copying);
        draft.effect(new MemoryEffect.SendCommand(new Adopt(
                meta(draft, Ids.of("adopt", draft.state().key(), copying.name(), copying.next())),
                draft.state().open().branch(copying.name()),
                batch.events(),
                batch.upTo(),
                batch.isLast())));
        @Nullable
        Copying remaining =
                batch.isLast() ? null : new Copying(copying.name(), batch.upTo() + 1, copying.upTo(), copying.at());
        draft.change(state -> state.withBranches(state.branches().advance(remaining)));
    }

    /** @param upTo number of the last of the events, or of the one before them */
    private record Batch(List<MemoryEvent> events, long upTo, boolean isLast) {
        static Batch next(BankView.Log log, Copying copying) {
            List<MemoryEvent> available = log.from(copying.next(), EVENTS);
            var events = new ArrayList<MemoryEvent>();
            int characters = 0;
            for (MemoryEvent event : available) {
                if (!copying.includes(event) || characters > CHARACTERS) {
                    break;
                }
                events.add(event);
                characters += characters(event);
            }
            boolean isLast = events.size() == available.size()
                    ? available.size() < EVENTS
                    : !copying.includes(available.get(events.size()));
            long upTo = events.isEmpty()
                    ? copying.next() - 1
                    : events.getLast().meta().seq();
            return new Batch(events, upTo, isLast);
        }
    }

    private static int characters(MemoryEvent event) {
        return event instanceof DocumentRetained retained
                ? retained.document().sayings().stream()
                        .mapToInt(utterance -> utterance.text().length())
                        .sum()
                : 0;
    }

    /** Metadata of a command sent by the bank. */
    static CommandMeta meta(MemoryDraft draft, UUID id) {
        return new CommandMeta(id, draft.state().open().host(), draft.now(), null, null, null);
    }

    /** Forwards an erasure to all branches, regardless of their contents. */
    static void forget(MemoryDraft draft, Forget forget) {
        for (String name : draft.state().branches().names()) {
            draft.effect(new MemoryEffect.SendCommand(new Forget(
                    forget.meta().silent(Ids.of("forget", forget.meta().commandId(), name)),
                    draft.state().open().branch(name),
                    forget.what(),
                    forget.id(),
                    forget.session())));
        }
    }

    static void adopt(MemoryDraft draft, Adopt adopt) {
        boolean first = draft.state().bank() == null;
        if (!first && !draft.state().branches().arriving()) {
            draft.refuse("not_arriving", "only an empty bank can become a branch");
            return;
        }
        adopt.events().forEach(event -> append(draft, adopt.bank(), event));
        if (adopt.whole()) {
            draft.emit(meta -> new Branched(meta, adopt.upTo()));
        } else {
            draft.change(state -> state.withBranches(state.branches().arriving(true)));
        }
        draft.accept(adopt.meta().commandId());
    }

    /** Appends an event as this bank's own: with its next number, and the original time and author. */
    private static void append(MemoryDraft draft, BankRef bank, MemoryEvent event) {
        var meta = new MemoryMeta(
                bank,
                draft.state().lastSeq() + 1,
                event.meta().at(),
                event.meta().commandId(),
                event.meta().by());
        switch (event) {
            case UnitEmbedded e ->
                findEmbeddedSeq(draft, e)
                        .ifPresent(number -> draft.emit(
                                new UnitEmbedded(meta, e.unitId(), number, e.since(), e.generation(), e.vector())));
            case BranchBegun _, Branched _ -> {} // its branches are not those of this bank
            default -> draft.emit(event.in(meta));
        }
    }

    /** The number of the event in this bank whose unit or reflection version this vector belongs to. */
    private static Optional<Long> findEmbeddedSeq(MemoryDraft draft, UnitEmbedded embedded) {
        Stream<MemoryEvent> before = draft.memory().eventsOf(embedded.unitId()).stream()
                .flatMap(number -> draft.view().log().from(number, 1).stream());
        return Stream.concat(draft.events().stream(), before)
                .filter(event -> event.meta().at().equals(embedded.since()))
                .filter(event -> event instanceof UnitLearned learned
                                && learned.unit().id().equals(embedded.unitId())
                        || event instanceof Reflected reflected
                                && reflected.id().equals(embedded.unitId()))
                .map(event -> event.meta().seq())
                .max(Long::compare);
    }
}
