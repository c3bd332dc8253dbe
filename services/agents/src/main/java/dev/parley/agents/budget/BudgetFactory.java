package dev.parley.agents.budget;

import dev.parley.domain.turn.TurnMachine;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.database.Database;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micronaut.context.annotation.Factory;
import io.micronaut.core.annotation.Order;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.Optional;

/** The budget beans of the role {@code models}. */
@Factory
final class BudgetFactory {
    @Singleton
    BudgetLedger ledger(Database database) {
        return new BudgetLedger(database, TurnMachine.LEASE, Clock.systemUTC());
    }

    /** Starts before the model worker and stops after it. */
    @Singleton
    @Order(29)
    UsageWriter usageWriter(BudgetLedger ledger) {
        return new UsageWriter(ledger);
    }

    @Singleton
    BudgetAdmission budgets(
            AccessDirectory directory, BudgetLedger ledger, UsageWriter usageWriter, Optional<MeterRegistry> meters) {
        return new LedgerBudgets(directory, ledger, usageWriter, meters.orElseGet(CompositeMeterRegistry::new));
    }
}
