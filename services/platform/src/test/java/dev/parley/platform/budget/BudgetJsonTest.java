package dev.parley.platform.budget;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.budget.Period;
import dev.parley.domain.budget.SpendingLimit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BudgetJsonTest {
    @Test
    void readsAmountsExactly() {
        assertEquals(
                new SpendingLimit(10_100_000_001L, 5L, Period.MONTH, 3),
                BudgetJson.read("{\"amount\":10.100000001,\"tokens\":5,\"period\":\"month\",\"turnsPerMinute\":3}"));
        SpendingLimit pace = BudgetJson.read("{\"turnsPerMinute\":1}");
        assertFalse(pace.boundsCalls());
        assertTrue(BudgetJson.read("{\"amount\":0,\"period\":\"total\"}").boundsCalls());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "5                                   | is an object",
                "{}                                  | needs 'amount', 'tokens' or 'turnsPerMinute'",
                "{\"amount\":1}                      | needs 'period' as day, month or total",
                "{\"amount\":1,\"period\":\"week\"}  | needs 'period' as day, month or total",
                "{\"amount\":-1,\"period\":\"day\"}  | has 'amount' as a number from 0",
                "{\"amount\":\"1\",\"period\":\"day\"} | has 'amount' as a number from 0",
                "{\"amount\":1e-10,\"period\":\"day\"} | has 'amount' with no more than nine decimals",
                "{\"tokens\":1.5,\"period\":\"day\"} | has 'tokens' with no decimals",
                "{\"turnsPerMinute\":0}              | has 'turnsPerMinute' of at least 1",
                "{\"amonut\":1,\"period\":\"day\"}   | has no 'amonut'; there are amount, tokens, period, turnsPerMinute",
            })
    void reportsTheFaultOfAnInvalidBudget(String json, String fault) {
        String message = assertThrows(IllegalArgumentException.class, () -> BudgetJson.read(json))
                .getMessage();

        assertTrue(message.startsWith(fault), message);
    }
}
