package dev.parley.domain.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.RecordKey;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.definition.Definitions;
import dev.parley.domain.protocol.Entry;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnInput;
import dev.parley.domain.session.SessionState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** A session as its shell keeps it: the header, the entries of its context and the outcomes of its commands. */
final class StoredSession {
    private final RecordKey key;
    private final TreeMap<Long, Entry> entries = new TreeMap<>();
    private final Map<UUID, Outcome> outcomes = new HashMap<>();
    private final Invariants invariants = new Invariants(this);
    private final List<TurnEvent> published = new ArrayList<>();
    private SessionState state;

    StoredSession(RecordKey key) {
        this.key = key;
        this.state = SessionState.initial(key);
    }

    RecordKey key() {
        return key;
    }

    SessionState state() {
        return state;
    }

    /** All that others see. */
    List<TurnEvent> published() {
        return published;
    }

    /** How its turns ended. */
    Map<UUID, Outcome> ends() {
        var ends = new HashMap<>(outcomes);
        ends.values().removeIf(outcome -> !(outcome instanceof Outcome.Finished));
        return ends;
    }

    Invariants invariants() {
        return invariants;
    }

    Optional<Outcome> outcome(UUID id) {
        return Optional.ofNullable(outcomes.get(id));
    }

    /** Entries by index, also those that no model is shown any more but that a mark still needs. */
    NavigableMap<Long, Entry> entries() {
        return entries;
    }

    /** Decides, keeps what is to be kept and checks every invariant. */
    TurnDecision decide(TurnInput input, Instant now, Definitions definitions) {
        var surroundings = new DecisionContext(
                now,
                definitions,
                StoredSession::replaced,
                StoredSession::misfits,
                index -> entries(index, index + 1).getFirst(),
                this::outcome);
        SessionState before = state;
        TurnDecision decisions = TurnMachine.decide(before, input, surroundings);
        invariants.checkDecision(before, input, decisions, surroundings);
        state = decisions.state();
        decisions.events().stream().filter(TurnEvent::isPublished).forEach(published::add);
        boolean checked = decisions.events().stream().anyMatch(TurnEvent.InputChecked.class::isInstance);
        decisions.effects().forEach(effect -> apply(effect, checked));
        invariants.checkRest(input, surroundings);
        return decisions;
    }

    /** What stands between two indexes; all of it must have been kept. */
    List<Entry> entries(long from, long to) {
        var found = new ArrayList<Entry>();
        LongStream.range(from, to).forEach(index -> {
            Entry entry = entries.get(index);
            assertNotNull(entry, "entry " + index + " is not there");
            found.add(entry);
        });
        return found;
    }

    List<Message> prompt(Effect.RequestModel ask) {
        return Stream.concat(entries(ask.from(), ask.to()).stream().map(Entry::message), ask.more().stream())
                .toList();
    }

    /** Patterns as Java has them: a test's are harmless. */
    static Optional<String> replaced(String pattern, String text, String replacement) {
        var matcher = Pattern.compile(pattern).matcher(text);
        return matcher.find()
                ? Optional.of(matcher.replaceAll(Matcher.quoteReplacement(replacement)))
                : Optional.empty();
    }

    /** A schema of a test says which word may not stand in the arguments. */
    static List<String> misfits(String schema, String arguments) {
        var word = Pattern.compile("\"not\":\"([a-z]+)\"").matcher(schema);
        return word.find() && arguments.contains(word.group(1)) ? List.of("/n: is " + word.group(1)) : List.of();
    }

    /** Whether an entry differs from the one before only in what is said in its recordings. */
    private static boolean isHeard(Entry before, Entry after) {
        var blocks = before.message().blocks();
        var said = after.message().blocks();
        return before.turnId().equals(after.turnId())
                && blocks.size() == said.size()
                && IntStream.range(0, blocks.size())
                        .allMatch(i -> blocks.get(i).equals(said.get(i))
                                || (blocks.get(i) instanceof Block.File file && file.isUnheard()));
    }

    private void apply(Effect effect, boolean checked) {
        switch (effect) {
            case Effect.StoreEntry keep -> {
                Entry before = entries.put(keep.index(), keep.entry());
                assertTrue(
                        before == null || checked || isHeard(before, keep.entry()),
                        "entry " + keep.index() + " was overwritten");
            }
            case Effect.DeleteEntries forget -> {
                assertTrue(forget.from() < forget.to(), "an empty range is forgotten");
                entries.subMap(forget.from(), forget.to()).clear();
            }
            case Effect.EraseSession _ -> outcomes.replaceAll((id, _) -> Outcome.erased(state.key(), id));
            case Effect.StoreOutcome remember -> outcomes.put(remember.commandId(), remember.outcome());
            case Effect.RequestModel ask -> invariants.checkPrompt(ask, prompt(ask));
            case Effect.SendContext seed ->
                assertEquals(
                        seed.end() - seed.from(),
                        entries(seed.from(), seed.end()).size());
            case Effect.SendBankCommand _,
                    Effect.RequestTool _,
                    Effect.RequestRule _,
                    Effect.CancelModel _,
                    Effect.CancelTool _,
                    Effect.SendCommand _,
                    Effect.SendResult _,
                    Effect.DeliverReply _,
                    Effect.PublishDelta _,
                    Effect.SendOutcome _ -> {}
        }
    }
}
