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
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
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

/** A session as the topology stores it: the header, the entries of its context and the outcomes of its commands. */
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

    /** All published events. */
    List<TurnEvent> published() {
        return published;
    }

    /** The final outcomes of its turns. */
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

    /** Entries by index, including those that only a mark still needs. */
    NavigableMap<Long, Entry> entries() {
        return entries;
    }

    /** Decides, stores the result and checks every invariant. */
    TurnDecision decide(TurnInput input, Instant now, Definitions definitions) {
        var decisionContext = new DecisionContext(
                now,
                definitions,
                StoredSession::replaced,
                StoredSession::misfits,
                StoredSession::daily,
                index -> entries(index, index + 1).getFirst(),
                this::outcome);
        SessionState before = state;
        TurnDecision decisions = TurnMachine.decide(before, input, decisionContext);
        invariants.checkDecision(before, input, decisions, decisionContext);
        state = decisions.state();
        decisions.events().stream().filter(TurnEvent::isPublished).forEach(published::add);
        boolean checked = decisions.events().stream().anyMatch(TurnEvent.InputChecked.class::isInstance);
        decisions.effects().forEach(effect -> apply(effect, checked));
        invariants.checkRest(input, decisionContext);
        return decisions;
    }

    /** Entries between two indexes; all of them must be stored. */
    List<Entry> entries(long from, long to) {
        var found = new ArrayList<Entry>();
        LongStream.range(from, to).forEach(index -> {
            Entry entry = entries.get(index);
            assertNotNull(entry, "entry " + index + " is not there");
            found.add(entry);
        });
        return found;
    }

    List<Message> prompt(TurnEffect.RequestModel request) {
        return Stream.concat(
                        entries(request.from(), request.to()).stream().map(Entry::message), request.more().stream())
                .toList();
    }

    /** Uses patterns of Java, because those of tests are harmless. */
    static Optional<String> replaced(String pattern, String text, String replacement) {
        var matcher = Pattern.compile(pattern).matcher(text);
        return matcher.find()
                ? Optional.of(matcher.replaceAll(Matcher.quoteReplacement(replacement)))
                : Optional.empty();
    }

    /** Schemas of tests name a word that the arguments must not contain. */
    static List<String> misfits(String schema, String arguments) {
        var matcher = Pattern.compile("\"not\":\"([a-z]+)\"").matcher(schema);
        return matcher.find() && arguments.contains(matcher.group(1))
                ? List.of("/n: is " + matcher.group(1))
                : List.of();
    }

    /** Whether an entry differs from the previous one only in transcripts of its recordings. */
    private static boolean isTranscription(Entry before, Entry after) {
        var blocks = before.message().blocks();
        var newBlocks = after.message().blocks();
        return before.turnId().equals(after.turnId())
                && blocks.size() == newBlocks.size()
                && IntStream.range(0, blocks.size())
                        .allMatch(i -> blocks.get(i).equals(newBlocks.get(i))
                                || (blocks.get(i) instanceof Block.File file && file.isUnheard()));
    }

    private void apply(TurnEffect effect, boolean checked) {
        switch (effect) {
            case TurnEffect.StoreEntry store -> {
                Entry before = entries.put(store.index(), store.entry());
                assertTrue(
                        before == null || checked || isTranscription(before, store.entry()),
                        "entry " + store.index() + " was overwritten");
            }
            case TurnEffect.DeleteEntries delete -> {
                assertTrue(delete.from() < delete.to(), "an empty range is forgotten");
                entries.subMap(delete.from(), delete.to()).clear();
            }
            case TurnEffect.EraseSession _ -> outcomes.replaceAll((id, _) -> Outcome.erased(state.key(), id));
            case TurnEffect.StoreOutcome store -> outcomes.put(store.commandId(), store.outcome());
            case TurnEffect.RequestModel request -> invariants.checkPrompt(request, prompt(request));
            case TurnEffect.SendContext seed ->
                assertEquals(
                        seed.end() - seed.from(),
                        entries(seed.from(), seed.end()).size());
            case TurnEffect.SendBankCommand _,
                    TurnEffect.ReportTakeOver _,
                    TurnEffect.RequestTool _,
                    TurnEffect.RequestRule _,
                    TurnEffect.CancelModel _,
                    TurnEffect.CancelTool _,
                    TurnEffect.SendCommand _,
                    TurnEffect.SendResult _,
                    TurnEffect.DeliverReply _,
                    TurnEffect.PublishDelta _,
                    TurnEffect.SendOutcome _ -> {}
        }
    }

    /** Times of the form {@code minute hour * * *}. */
    private static Optional<Instant> daily(String cron, ZoneId zone, Instant after) {
        String[] fields = cron.split(" ");
        if (fields.length != 5) {
            throw new IllegalArgumentException("five fields are needed");
        }
        ZonedDateTime clock = after.atZone(zone);
        var time = LocalTime.of(Integer.parseInt(fields[1]), Integer.parseInt(fields[0]));
        ZonedDateTime today = clock.with(time);
        return Optional.of((today.isAfter(clock) ? today : today.plusDays(1)).toInstant());
    }
}
