package dev.parley.domain.memory.machine;

import static dev.parley.domain.memory.machine.BankFixture.FIRST;
import static dev.parley.domain.memory.machine.BankFixture.OTHER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.Ids;
import dev.parley.domain.memory.Generations;
import dev.parley.domain.memory.MemoryCommand.DropGeneration;
import dev.parley.domain.memory.MemoryCommand.Forget;
import dev.parley.domain.memory.MemoryCommand.Reembed;
import dev.parley.domain.memory.MemoryCommand.Reflect;
import dev.parley.domain.memory.MemoryEffect.Embed;
import dev.parley.domain.memory.MemoryEvent;
import dev.parley.domain.memory.MemoryEvent.GenerationChanged;
import dev.parley.domain.memory.MemoryEvent.PassagesEmbedded;
import dev.parley.domain.memory.MemoryEvent.Reflected;
import dev.parley.domain.memory.MemoryEvent.UnitEmbedded;
import dev.parley.domain.memory.Unit;
import dev.parley.domain.memory.Utterance;
import dev.parley.domain.memory.index.BankMemory;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReembedTest {
    private static final String TEXT = "Bob moved to Oslo. Carol owns a red bicycle.";

    private final BankFixture bank = new BankFixture();

    private Outcome reembed(String generation) {
        return bank.give(new Reembed(bank.meta(), BankFixture.ANN, generation));
    }

    private Outcome drop() {
        return bank.give(new DropGeneration(bank.meta(), BankFixture.ANN));
    }

    private void forget(UUID doc) {
        bank.give(new Forget(bank.meta(), BankFixture.ANN, Forget.What.DOCUMENT, doc, null));
    }

    /** Runs the bank until nothing is due. */
    private void finish() {
        for (int i = 0; i < 1_000 && BankMachine.nextDue(bank.state()).isPresent(); i++) {
            bank.after(Duration.ofMinutes(6)).embedAll();
        }
        assertTrue(BankMachine.nextDue(bank.state()).isEmpty(), () -> "it is never done: " + bank.state());
    }

    private List<String> generationsOfUnits() {
        return bank.facts().stream().map(Unit::generation).distinct().toList();
    }

    @Test
    @Tag("M35")
    void keepsTheOldGenerationUntilAllNewVectorsArrive() {
        bank.said(TEXT);
        bank.said("Dave sold his house in Bergen.");
        assertEquals(List.of(FIRST), generationsOfUnits());

        assertInstanceOf(Outcome.Accepted.class, reembed(OTHER));
        bank.after(Duration.ofSeconds(1));
        List<Embed> embeds = bank.asks(Embed.class);
        assertEquals(
                List.of(OTHER),
                embeds.stream().map(embed -> embed.request().generation()).toList());
        assertEquals(List.of(FIRST), generationsOfUnits());
        assertEquals(FIRST, bank.state().generations().current());

        embeds.forEach(embed -> bank.answer(bank.embedded(embed.request())));
        finish();

        assertEquals(List.of(OTHER), generationsOfUnits());
        assertTrue(bank.facts().stream()
                .allMatch(unit -> unit.vector() != null && unit.vector().size() == 12));
        assertEquals(2, passages(OTHER));
        assertEquals(
                new Generations(OTHER, FIRST, false, bank.state().lastSeq() + 1, null),
                bank.state().generations());
    }

    private long passages(String generation) {
        return bank.events(PassagesEmbedded.class).stream()
                .filter(event -> event.generation().equals(generation))
                .count();
    }

    @Test
    @Tag("M35")
    void newUnitsGetBothGenerationsSoThatReturningNeedsNoCalls() {
        // Given
        bank.said(TEXT);
        reembed(OTHER);
        bank.after(Duration.ofSeconds(1));
        bank.said("Erin bought a boat."); // while the new generation is built
        finish();
        bank.said("Frank plays the violin."); // while the old generation is kept
        finish();
        assertEquals(OTHER, bank.state().generations().current());
        long before = bank.effects.stream().filter(Embed.class::isInstance).count();

        // When
        reembed(FIRST);
        finish();

        // Then
        assertEquals(FIRST, bank.state().generations().current());
        assertEquals(List.of(FIRST), generationsOfUnits());
        assertEquals(
                before, bank.effects.stream().filter(Embed.class::isInstance).count(), "nothing is made again");
    }

    @Test
    @Tag("M35")
    void ignoresEmbeddingsOfADroppedGeneration() {
        // Given
        bank.said(TEXT);
        reembed(OTHER);
        bank.after(Duration.ofSeconds(1));
        Embed embed = bank.asks(Embed.class).getFirst();

        // When
        drop();
        bank.answer(bank.embedded(embed.request()));
        finish();

        // Then
        assertEquals(FIRST, bank.state().generations().current());
        assertEquals(List.of(), bank.events(UnitEmbedded.class));
        assertEquals("no_generation", ((Outcome.Refused) drop()).code());
    }

    @Test
    @Tag("M35")
    void reembedsReflectionsBeforeSwitchingGenerations() {
        bank.said("My sister Clara lives in Lisbon.");
        bank.decide(new Reflect(
                bank.meta(),
                BankFixture.ANN,
                "Where does my sister Clara live?",
                null,
                null,
                List.of(),
                List.of(),
                1_000,
                null));
        bank.think();
        UUID id = bank.events(Reflected.class).getFirst().id();
        reembed(OTHER);
        bank.after(Duration.ofSeconds(1));
        List<Embed> embeds = bank.asks(Embed.class);
        assertTrue(embeds.getFirst().request().texts().stream().anyMatch(text -> text.startsWith("Where does my")));
        assertEquals(FIRST, bank.state().generations().current());

        embeds.forEach(embed -> bank.answer(bank.embedded(embed.request())));
        finish();

        assertEquals(OTHER, bank.state().generations().current());
        var vector = bank.memory.embeddingsOf(id).getFirst();
        assertEquals(OTHER, vector.generation());
        assertEquals(bank.memory.embeddingsOf(id), bank.replayed().embeddingsOf(id));

        bank.give(new Forget(bank.meta(), BankFixture.ANN, Forget.What.UNIT, id, null));
        assertTrue(bank.log().stream()
                .noneMatch(
                        event -> event instanceof UnitEmbedded e && e.unitId().equals(id)));
    }

    @Test
    @Tag("M35")
    void rejectsAnUnknownModelAndListsTheKnownOnes() {
        bank.said(TEXT);

        var refused = (Outcome.Refused) reembed("gpt");

        assertEquals("unknown_model", refused.code());
        assertTrue(refused.message().contains("other, test"), refused::message);
    }

    @Test
    @Tag("M6")
    @Tag("M35")
    void erasedUnitsLeaveNoVectorOfEitherGeneration() {
        UUID secret = bank.said("Mallory keeps a xylophone.");
        bank.said(TEXT);
        reembed(OTHER);
        bank.after(Duration.ofSeconds(1));
        Embed embed = bank.asks(Embed.class).getFirst();
        assertTrue(embed.request().texts().toString().contains("xylophone"));

        forget(secret);
        bank.answer(bank.embedded(embed.request()));
        finish();

        assertEquals(List.of(OTHER), generationsOfUnits());
        for (MemoryEvent event : bank.log()) {
            assertFalse(event.toString().contains("xylophone"), event::toString);
        }
        assertEquals(
                bank.facts().stream().map(Unit::id).sorted().toList(),
                bank.events(UnitEmbedded.class).stream()
                        .map(UnitEmbedded::unitId)
                        .sorted()
                        .toList());

        UUID laterDocument = bank.said("Peggy has a marimba."); // with vectors of both generations
        finish();
        List<Long> before = bank.standing();
        forget(laterDocument);
        finish();
        List<MemoryEvent> remaining = bank.log();
        assertTrue(before.size() > bank.standing().size());
        assertTrue(remaining.stream()
                .noneMatch(event ->
                        event instanceof PassagesEmbedded e && e.docId().equals(laterDocument)));
        assertTrue(remaining.stream()
                .noneMatch(event -> event instanceof UnitEmbedded e && !bank.memory.hasUnit(e.unitId())));
    }

    @Test
    @Tag("M13")
    @Tag("M35")
    void consolidatesFactsOfBothGenerations() {
        bank.said("Bob likes green tea.");
        reembed(OTHER);
        bank.after(Duration.ofSeconds(1)).embedAll();
        finish();

        bank.after(Duration.ofHours(1));
        bank.said("Bob likes green tea.", bank.now());

        assertEquals(2, bank.observations().getFirst().proofCount());
        assertEquals(OTHER, bank.observations().getFirst().generation());
    }

    @Test
    @Tag("M35")
    void embedsAnewWhenAResultOfTheOldGenerationArrivesLate() {
        // Given
        bank.said(TEXT);
        bank.give(bank.retain(
                Ids.of("late"),
                bank.now(),
                null,
                new Utterance(dev.parley.domain.content.Role.USER, "Ann", "Gil sings.")));
        Embed lateEmbed = bank.asks(Embed.class).getFirst();
        reembed(OTHER);
        bank.after(Duration.ofSeconds(1)).embedAll();
        bank.after(Duration.ofSeconds(1));
        assertEquals(OTHER, bank.state().generations().current());

        // When
        bank.answer(bank.embedded(lateEmbed.request()));
        finish();

        // Then
        assertEquals(List.of(OTHER), generationsOfUnits());
        assertEquals(OTHER, bank.unit("Gil").unit().generation());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    @Tag("M34")
    @Tag("M35")
    void everyUnitHasAVectorOfTheCurrentGenerationInRandomRuns(long seed) {
        var random = new Random(seed);
        var docs = new ArrayList<UUID>();
        for (int i = 0; i < 120; i++) {
            switch (random.nextInt(10)) {
                case 0, 1, 2 -> docs.add(bank.said("Person" + i + " lives in Town" + i % 7 + "."));
                case 3 -> docs.add(bank.said("Ann likes green tea."));
                case 4 -> reembed(random.nextBoolean() ? OTHER : FIRST);
                case 5 -> {
                    if (random.nextInt(3) == 0) {
                        drop();
                    }
                }
                case 6 -> {
                    if (!docs.isEmpty()) {
                        forget(docs.remove(random.nextInt(docs.size())));
                    }
                }
                default -> bank.after(Duration.ofSeconds(random.nextInt(40)));
            }
            answerSome(random);
            assertConsistent();
        }
        bank.embedAll();
        finish();
        assertConsistent();
        assertFalse(bank.state().generations().wanted(), "what is wanted is searched in the end");
    }

    /** Answers, loses, fails or duplicates each request at random. */
    private void answerSome(Random random) {
        for (Embed embed : bank.asks(Embed.class)) {
            CallResult answer = bank.embedded(embed.request());
            switch (random.nextInt(5)) {
                case 0 -> {}
                case 1 ->
                    bank.answer(new CallResult.ModelFailed(
                            embed.request().callId(),
                            embed.request().attempt(),
                            ErrorCategory.SERVER,
                            "no",
                            null,
                            List.of()));
                case 2 -> bank.answer(answer).answer(answer);
                default -> bank.answer(answer);
            }
        }
    }

    private void assertConsistent() {
        String current = bank.state().generations().current();
        BankMemory replayed = bank.replayed();
        for (UUID id : bank.memory.units()) {
            Unit unit = bank.memory.unit(id).orElseThrow().unit();
            assertEquals(current, unit.generation(), () -> "of " + unit);
            assertEquals(bank.memory.unit(id), replayed.unit(id));
        }
        assertEquals(bank.memory.units(), replayed.units());
        assertEquals(bank.memory.generations(), replayed.generations());
        assertTrue(bank.events(GenerationChanged.class).size() < 60);
    }
}
