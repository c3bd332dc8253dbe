package dev.parley.domain.memory.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.Ids;
import dev.parley.domain.bank.Directive;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.memory.BankProfile;
import dev.parley.domain.memory.FactType;
import dev.parley.domain.memory.MemoryCommand.ChangeBank;
import dev.parley.domain.memory.MemoryCommand.Forget;
import dev.parley.domain.memory.MemoryCommand.Reflect;
import dev.parley.domain.memory.MemoryCommand.RemoveMentalModel;
import dev.parley.domain.memory.MemoryCommand.RetireUnit;
import dev.parley.domain.memory.MemoryCommand.SetDirective;
import dev.parley.domain.memory.MemoryCommand.SetMentalModel;
import dev.parley.domain.memory.MemoryEvent;
import dev.parley.domain.memory.MemoryEvent.UnitLearned;
import dev.parley.domain.memory.MentalModel;
import dev.parley.domain.memory.Unit;
import dev.parley.domain.protocol.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Mental models and opinions of a bank. */
class StandingTest {
    /** Texts about Kotlin are near each other; all others are not. */
    private final BankFixture bank =
            new BankFixture(BankFixture.ANN, text -> BankFixture.anyMeaning(text.contains("Kotlin") ? "Kotlin" : text));

    private MentalModel model(String question, String... tags) {
        var model = new MentalModel(
                Ids.of("model", question), "one", question, List.of(tags), MentalModel.DEFAULT_INTERVAL);
        bank.give(new SetMentalModel(bank.meta(), BankFixture.ANN, model));
        return model;
    }

    private void wake() {
        bank.after(Duration.ZERO).think();
    }

    private Optional<Unit> answer(MentalModel model) {
        return bank.memory.isActive(model.id())
                ? bank.memory.unit(model.id()).map(UnitLearned::unit)
                : Optional.empty();
    }

    private List<Unit> versions(UUID id) {
        return bank.events(UnitLearned.class).stream()
                .map(UnitLearned::unit)
                .filter(unit -> unit.id().equals(id))
                .toList();
    }

    // ---- mental models

    @Test
    @Tag("M14")
    void refreshesAMentalModelWhenItsScopeChangesAtMostPerInterval() {
        bank.said("My sister Clara lives in Lisbon.");
        UUID lisbon = bank.unit("Lisbon").unit().id();
        MentalModel clara = model("What is known of my sister Clara?");
        wake();
        Unit first = answer(clara).orElseThrow();
        assertEquals(FactType.MENTAL_MODEL, first.type());
        assertEquals(1, first.version());
        assertTrue(first.text().endsWith("Clara lives in Lisbon."), first.text());
        assertEquals(List.of(lisbon), first.sources());

        bank.said("My sister Clara plays chess.");
        wake();
        assertEquals(1, versions(clara.id()).size(), "it rests");
        assertEquals(Optional.of(bank.now().plus(MentalModel.DEFAULT_INTERVAL)), BankMachine.nextDue(bank.state()));

        bank.after(MentalModel.DEFAULT_INTERVAL).think();
        Unit second = answer(clara).orElseThrow();
        assertEquals(2, second.version());
        assertTrue(second.text().contains("chess") && second.text().contains("Lisbon"), second.text());
        assertEquals(List.of(first, second), versions(clara.id()));

        bank.after(MentalModel.DEFAULT_INTERVAL).think();
        assertEquals(Optional.empty(), BankMachine.nextDue(bank.state()), "nothing has changed");
    }

    @Test
    @Tag("M14")
    void mentalModelUsesOnlyFactsOfItsTags() {
        MentalModel work = model("Which project is Ann in?", "work");
        wake();
        assertTrue(answer(work).isEmpty(), "nothing is known");

        bank.tagged("Ann is in the project Falcon.", "home");
        bank.after(MentalModel.DEFAULT_INTERVAL).think();
        assertTrue(answer(work).isEmpty());

        bank.tagged("Ann is in the project Condor.", "work");
        bank.after(MentalModel.DEFAULT_INTERVAL).think();
        assertTrue(answer(work).orElseThrow().text().contains("Condor"));
        assertEquals(List.of("work"), answer(work).orElseThrow().tags());
    }

    @Test
    @Tag("M14")
    @Tag("M6")
    void erasureRebuildsAMentalModelAndClearsItsVersions() {
        bank.said("My sister Clara lives in Lisbon.");
        UUID secret = bank.said("My sister Clara plays the xylophone.");
        MentalModel clara = model("What is known of my sister Clara?");
        wake();
        assertTrue(answer(clara).orElseThrow().text().contains("xylophone"));

        bank.give(new Forget(bank.meta(), BankFixture.ANN, Forget.What.DOCUMENT, secret, null));
        assertTrue(answer(clara).isEmpty());
        wake();

        Unit rebuilt = answer(clara).orElseThrow();
        assertFalse(rebuilt.text().contains("xylophone"));
        assertEquals(2, rebuilt.version(), "versions go on");
        assertTrue(bank.log().stream().noneMatch(event -> event.toString().contains("xylophone")));
        assertEquals(bank.memory.unit(clara.id()), bank.replayed().unit(clara.id()));
    }

    @Test
    @Tag("M14")
    void mentalModelHeedsDirectivesAndRecordsItsCost() {
        bank.said("The plumber Miller has the phone number 555-1234.");
        bank.give(new ChangeBank(bank.meta(), BankFixture.ANN, new BankProfile("ann", 3, 3, 3, null, "test/thinker")));
        MentalModel plumber = model("Who is the plumber Miller?");
        wake();
        bank.says("Miller, 555-1234 [m1].");
        assertEquals("Miller, 555-1234.", answer(plumber).orElseThrow().text());
        var cost = bank.events(MemoryEvent.Reflected.class).getFirst();
        assertEquals(plumber.id(), cost.made());
        assertEquals(15, cost.usage().tokens());
        assertEquals("", cost.answer());

        var rule = new Directive(Ids.of("rule"), "no phones", "Never give phone numbers.", 1, true);
        bank.give(new SetDirective(bank.meta(), BankFixture.ANN, rule));
        bank.after(MentalModel.DEFAULT_INTERVAL).think();
        bank.says("Miller, 555-1234 [m1].").says("Miller is a plumber [m1].");
        assertEquals("Miller is a plumber.", answer(plumber).orElseThrow().text());
    }

    @Test
    void limitsAndRemovesMentalModels() {
        bank.said("My sister Clara lives in Lisbon.");
        for (int i = 1; i < MentalModelRefresh.MAX_MODELS; i++) {
            model("Question number " + i + "?");
        }
        MentalModel last = model("Where does my sister Clara live?");
        var excess = new MentalModel(Ids.of("more"), "more", "More?", List.of(), MentalModel.DEFAULT_INTERVAL);
        var refused = bank.give(new SetMentalModel(bank.meta(), BankFixture.ANN, excess));
        assertEquals(
                "too_many", assertInstanceOf(Outcome.Refused.class, refused).code());
        for (int i = 0; i < MentalModelRefresh.MAX_MODELS; i++) {
            wake();
        }
        assertTrue(answer(last).isPresent());

        bank.give(new RemoveMentalModel(bank.meta(), BankFixture.ANN, last.id()));

        assertTrue(answer(last).isEmpty());
        assertEquals(MentalModelRefresh.MAX_MODELS - 1, bank.state().models().size());
        var repeated = bank.give(new RemoveMentalModel(bank.meta(), BankFixture.ANN, last.id()));
        assertEquals(
                "unknown_mental_model",
                assertInstanceOf(Outcome.Refused.class, repeated).code());
    }

    @Test
    void rejectsInvalidMentalModels() {
        var id = Ids.of("m");
        assertThrows(
                IllegalArgumentException.class,
                () -> new MentalModel(id, "", "Who?", List.of(), MentalModel.DEFAULT_INTERVAL));
        assertThrows(
                IllegalArgumentException.class,
                () -> new MentalModel(id, "one", " ", List.of(), MentalModel.DEFAULT_INTERVAL));
        assertThrows(
                IllegalArgumentException.class,
                () -> new MentalModel(id, "one", "Who?", List.of(), Duration.ofSeconds(9)));
    }

    // ---- opinions

    private Unit opinion(String confidence) {
        bank.said("Kotlin has shorter programs than Java.");
        bank.decide(new Reflect(
                bank.meta(),
                BankFixture.ANN,
                "Which is better, Kotlin or Java?",
                null,
                null,
                List.of(),
                List.of(),
                1_000,
                Agent.of("memory", "test", "thinker", "")));
        bank.think();
        bank.says("Kotlin [m1].\n```opinion\n{\"text\": \"Kotlin is better than Java.\", \"confidence\": " + confidence
                + "}\n```");
        return bank.events(UnitLearned.class).stream()
                .map(UnitLearned::unit)
                .filter(unit -> unit.type() == FactType.OPINION)
                .findFirst()
                .orElse(null);
    }

    @Test
    @Tag("M12")
    void reflectionFormsAnOpinionWhoseConfidenceFollowsEvidence() {
        Unit opinion = opinion("0.8");
        assertEquals("Kotlin is better than Java.", opinion.text());
        assertEquals(0.8, opinion.confidence());
        assertTrue(opinion.sources().contains(bank.unit("shorter").unit().id()));
        String answer = bank.events(MemoryEvent.Reflected.class).getFirst().answer();
        assertEquals("Kotlin [m1].", answer, "what is for the bank is not told");

        bank.after(Duration.ofHours(1)).said("Java is better than Kotlin.");

        List<Unit> versions = versions(opinion.id());
        assertEquals(List.of(1, 2), versions.stream().map(Unit::version).toList());
        assertEquals(0.4, versions.getLast().confidence(), 1e-9);
        var changed = bank.memory.unit(opinion.id()).orElseThrow();
        assertEquals("newer facts contradict it", changed.reason());

        bank.after(Duration.ofHours(1)).said("Kotlin is much better than Java.");
        assertEquals(0.52, versions(opinion.id()).getLast().confidence(), 1e-9);
        bank.after(Duration.ofHours(1)).said("I bought a blue kettle.");
        assertEquals(3, versions(opinion.id()).size());
    }

    @Test
    @Tag("M12")
    void opinionIsHalvedWhenItsSourceIsRetiredAndErasedWithIt() {
        Unit opinion = opinion("0.8");
        UUID fact = bank.unit("shorter").unit().id();
        UUID doc = bank.unit("shorter").unit().docId();

        bank.give(new RetireUnit(bank.meta(), BankFixture.ANN, fact, "a mistake"));
        assertEquals(0.4, versions(opinion.id()).getLast().confidence(), 1e-9);
        assertTrue(bank.memory.isActive(opinion.id()));

        bank.give(new Forget(bank.meta(), BankFixture.ANN, Forget.What.DOCUMENT, doc, null));
        assertFalse(bank.memory.hasUnit(opinion.id()));
    }

    @Test
    @Tag("M12")
    void ignoresAnInvalidOpinion() {
        assertEquals(null, opinion("1.7"));
        assertEquals(
                "Kotlin [m1].",
                bank.events(MemoryEvent.Reflected.class).getFirst().answer());
    }
}
