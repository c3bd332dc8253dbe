package dev.parley.domain.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.Ids;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Role;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.memory.MemoryCommand.Forget;
import dev.parley.domain.memory.MemoryCommand.LimitBank;
import dev.parley.domain.memory.MemoryEffect.CallModel;
import dev.parley.domain.memory.MemoryEffect.Embed;
import dev.parley.domain.memory.MemoryEvent.FactsExtracted;
import dev.parley.domain.memory.index.BankMemory;
import dev.parley.domain.memory.machine.BankFixture;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.Usage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BudgetTest {
    private static final Agent READER = Agent.of("reader", "openai", "some-model", "");

    private final BankFixture bank = new BankFixture();

    private Outcome allow(long units, long bytes, int calls, long tokens) {
        return bank.give(new LimitBank(bank.meta(), BankFixture.ANN, new BankQuota(units, bytes, calls, tokens)));
    }

    private Outcome retain(String text) {
        return bank.give(bank.retain(Ids.of("doc", text), bank.now(), READER, new Utterance(Role.USER, "Ann", text)));
    }

    private static CallResult answer(ModelRequest request, long tokens) {
        return new CallResult.ModelAnswered(
                request.callId(),
                request.attempt(),
                List.of(new Block.Text("{\"facts\": []}", null)),
                FinishReason.STOP,
                new Usage((int) tokens, 0, 0, 0, 0, 0L),
                "openai",
                "some-model",
                null,
                null);
    }

    @Test
    @Tag("M37")
    void extractsByRulesBeyondTheDailyCallsAndByModelTheNextDay() {
        allow(1_000, 1_000_000, 1, 1_000_000);
        retain("Bob moved to Oslo.");
        CallModel first = bank.asks(CallModel.class).getFirst();

        retain("Carol owns a bicycle.");

        assertEquals(List.of(), bank.asks(CallModel.class));
        bank.embedAll();
        assertTrue(bank.unit("Carol").unit().provenance().extractor().startsWith("rules"));
        bank.answer(answer(first.request(), 100)).embedAll();
        assertEquals(1, bank.events(FactsExtracted.class).size());

        bank.after(Duration.ofDays(1));
        retain("Dave sold his house.");
        assertEquals(1, bank.asks(CallModel.class).size());
    }

    @Test
    @Tag("M37")
    void doesNotCallTheModelIfItMayExceedTheTokenBudget() {
        allow(1_000, 1_000_000, 100, Budget.ANSWER);
        retain("Bob moved to Oslo.");

        assertEquals(List.of(), bank.asks(CallModel.class));
        bank.embedAll();
        assertTrue(bank.unit("Bob").unit().provenance().extractor().startsWith("rules"));
    }

    @Test
    @Tag("M37")
    void fullBankRejectsDocumentsUntilOneIsForgotten() {
        allow(1_000, 40, 0, 0);
        assertInstanceOf(Outcome.Retained.class, retain("Bob moved to Oslo, \u00e6\u00f8\u00e5."));
        bank.embedAll();

        var refused = (Outcome.Refused) retain("Carol owns a red bicycle.");
        assertEquals("bank_full", refused.code());
        assertTrue(refused.message().contains("may hold 40 bytes and has 26"), refused::message);
        assertInstanceOf(
                Outcome.Retained.class, retain("Bob moved to Oslo, \u00e6\u00f8\u00e5."), "what it has already");

        bank.give(new Forget(
                bank.meta(),
                BankFixture.ANN,
                Forget.What.DOCUMENT,
                Ids.of("doc", "Bob moved to Oslo, \u00e6\u00f8\u00e5."),
                null));
        bank.after(Duration.ofHours(1));
        assertInstanceOf(
                Outcome.Retained.class,
                bank.give(bank.retain(
                        Ids.of("again"),
                        bank.now(),
                        null,
                        new Utterance(Role.USER, "Ann", "Carol owns a red bicycle."))));
        assertEquals(25, bank.memory.bytes());
        assertEquals(bank.memory.bytes(), bank.replayed().bytes());
    }

    @Test
    @Tag("M37")
    void rejectsANegativeAllowance() {
        assertEquals("invalid_allowance", ((Outcome.Refused) allow(-1, 0, 0, 0)).code());
        bank.said("Bob moved to Oslo.");
        assertEquals(BankQuota.DEFAULT, bank.state().budget().allowance());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    @Tag("M37")
    void noBudgetIsEverExceeded(long seed) {
        var random = new Random(seed);
        var allowance = new BankQuota(18, 900, 6, 60_000);
        allow(allowance.units(), allowance.bytes(), allowance.modelCalls(), allowance.modelTokens());
        var docs = new ArrayList<UUID>();
        var open = new ArrayList<ModelRequest>();
        Map<LocalDate, Integer> calls = new HashMap<>();
        Map<LocalDate, Long> tokens = new HashMap<>();
        int refused = 0;
        for (int i = 0; i < 250; i++) {
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> {
                    String text = "Person" + i + " lives in Town" + i % 3 + ". Ann likes green tea.";
                    if (retain(text) instanceof Outcome.Refused refusal) {
                        assertEquals("bank_full", refusal.code());
                        refused++;
                    } else {
                        docs.add(Ids.of("doc", text));
                    }
                }
                case 3 -> {
                    if (!docs.isEmpty() && random.nextInt(3) == 0) {
                        UUID doc = docs.remove(random.nextInt(docs.size()));
                        bank.give(new Forget(bank.meta(), BankFixture.ANN, Forget.What.DOCUMENT, doc, null));
                    }
                }
                case 4 -> bank.after(Duration.ofSeconds(random.nextInt(60)));
                case 5 -> bank.after(Duration.ofHours(random.nextInt(8)));
                default -> {
                    if (!open.isEmpty()) {
                        ModelRequest request = open.remove(random.nextInt(open.size()));
                        if (random.nextInt(3) == 0) {
                            bank.answer(new CallResult.ModelFailed(
                                    request.callId(), request.attempt(), ErrorCategory.SERVER, "no", null, List.of()));
                        } else {
                            boolean counts = bank.state().work(request.callId()).isPresent();
                            long used = 1 + random.nextLong(maxTokens(request));
                            bank.answer(answer(request, used));
                            if (counts) {
                                tokens.merge(day(), used, Long::sum);
                            }
                        }
                    }
                }
            }
            for (CallModel call : bank.asks(CallModel.class)) {
                calls.merge(day(), 1, Integer::sum);
                if (random.nextInt(5) > 0) { // else nobody ever answers
                    open.add(call.request());
                }
            }
            bank.asks(Embed.class).forEach(embed -> bank.answer(bank.embedded(embed.request())));
            assertWithin(allowance);
        }
        assertTrue(calls.values().stream().allMatch(count -> count <= allowance.modelCalls()), calls::toString);
        assertTrue(tokens.values().stream().allMatch(sum -> sum <= allowance.modelTokens()), tokens::toString);
        assertTrue(refused > 0 && !tokens.isEmpty(), "it was put to the test");
    }

    private static long maxTokens(ModelRequest request) {
        return (request.agent().prompt() + request.messages().getFirst().text()).getBytes(StandardCharsets.UTF_8).length
                + Budget.ANSWER;
    }

    private void assertWithin(BankQuota allowance) {
        assertTrue(bank.memory.unitCount() <= allowance.units(), () -> bank.memory.unitCount() + " units");
        assertTrue(bank.memory.bytes() <= allowance.bytes(), () -> bank.memory.bytes() + " bytes");
        BankMemory replayed = bank.replayed();
        assertEquals(bank.memory.unitCount(), replayed.unitCount());
        assertEquals(bank.memory.bytes(), replayed.bytes());
        Budget budget = bank.state().budget();
        assertTrue(budget.tokens() <= allowance.modelTokens(), budget::toString);
        List<UUID> reading =
                bank.state().works().stream().map(BankState.Work::callId).toList();
        assertTrue(
                reading.containsAll(
                        budget.reserved().stream().map(Budget.Reserved::callId).toList()),
                "nothing is reserved for ever");
    }

    private LocalDate day() {
        Instant now = bank.now();
        return now.atZone(ZoneOffset.UTC).toLocalDate();
    }
}
