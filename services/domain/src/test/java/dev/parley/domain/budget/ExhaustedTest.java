package dev.parley.domain.budget;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.LocalDate;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ExhaustedTest {
    private static final LocalDate TODAY = LocalDate.of(2026, 12, 31);

    @Test
    void userTextIsTheDetailAsASentence() {
        for (BudgetScope scope : BudgetScope.values()) {
            for (Period period : Period.values()) {
                String detail = Exhausted.detail(scope, period, TODAY);
                assertEquals(Optional.of(detail + "."), Exhausted.words(detail));
            }
        }
        assertEquals(
                "the budget of this project for today is used up; it begins anew on 2027-01-01 at 00:00 UTC",
                Exhausted.detail(BudgetScope.PROJECT, Period.DAY, TODAY));
        assertEquals(
                "your budget for this month is used up; it begins anew on 2027-01-01 at 00:00 UTC",
                Exhausted.detail(BudgetScope.USER, Period.MONTH, TODAY));
        assertEquals(
                "the budget of this installation is used up", Exhausted.detail(BudgetScope.HOST, Period.TOTAL, TODAY));
    }

    @Test
    void userTextOmitsProviderErrorsAndModelNames() {
        assertEquals(Optional.empty(), Exhausted.words("the key sk-1 has no credit; your budget is used up"));
        String operators = Exhausted.withoutPrice(BudgetScope.HOST, "local", "llama");
        assertTrue(operators.endsWith("set one with PUT /v1/prices/local/llama"), operators);
        assertTrue(!Exhausted.words(operators).orElseThrow().contains("llama"));
    }
}
