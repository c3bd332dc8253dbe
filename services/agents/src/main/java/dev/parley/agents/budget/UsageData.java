package dev.parley.agents.budget;

import dev.parley.domain.budget.BudgetScope;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.http.Caller;
import dev.parley.platform.personal.PersonalArchive;
import dev.parley.platform.personal.PersonalData;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.UUID;

/** The usage and budget of a user, as a part of the personal data export. */
@Singleton
final class UsageData implements PersonalData {
    private final BudgetLedger ledger;
    private final AccessDirectory directory;

    UsageData(BudgetLedger ledger, AccessDirectory directory) {
        this.ledger = ledger;
        this.directory = directory;
    }

    @Override
    public String part() {
        return "usage";
    }

    @Override
    public void write(Caller caller, PersonalArchive archive) throws IOException {
        UUID id = caller.person().user();
        BudgetShare share = BudgetShare.of(directory, caller.host(), BudgetScope.USER, id);
        archive.json(
                "usage.json",
                UsageJson.of(share, ledger.readUsage(caller.host(), BudgetScope.USER, id), ledger.today()));
    }
}
