package dev.parley.control.people;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.parley.control.http.JsonColumns;
import dev.parley.control.people.AccountRows.AuditLine;
import dev.parley.control.people.AccountRows.Owned;
import dev.parley.platform.database.Database;
import dev.parley.platform.http.Caller;
import dev.parley.platform.personal.PersonalArchive;
import dev.parley.platform.personal.PersonalData;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** The control service's part of a person's data export: account, identities, memberships, keys, audit entries. */
@Singleton
final class AccountData implements PersonalData {
    private static final int PAGE = 500;

    private final Database database;
    private final AccountRows rows;
    private final People people;

    AccountData(Database database, AccountRows rows, People people) {
        this.database = database;
        this.rows = rows;
        this.people = people;
    }

    @Serdeable
    record AccountJson(Person person, @JsonUnwrapped Owned owned) {}

    @Override
    public String part() {
        return "account";
    }

    @Override
    public void write(Caller caller, PersonalArchive archive) throws IOException {
        Person person = people.find(caller.host(), caller.person().user())
                .orElseThrow(() -> new IOException("the account no longer exists"));
        Owned owned = database.in(
                caller.tenant(), () -> rows.owned(caller.host(), caller.person().user()));
        archive.json("account.json", new AccountJson(person, owned));
        try (OutputStream out = archive.entry("audit.ndjson")) {
            writeAudit(caller, archive, out);
        }
    }

    /** Writes the audit entries of the caller, newest first. */
    private void writeAudit(Caller caller, PersonalArchive archive, OutputStream out) throws IOException {
        AuditLine last = new AuditLine(new UUID(-1, -1), Instant.now().plusSeconds(1), "");
        List<AuditLine> page;
        do {
            AuditLine after = last;
            page = database.in(
                    caller.tenant(),
                    () -> rows.audit(caller.host(), caller.user(), after.eventTs(), after.auditLogId(), PAGE));
            for (AuditLine line : page) {
                archive.line(out, JsonColumns.tree(line.entry()));
                last = line;
            }
            archive.count("auditEntries", page.size());
        } while (page.size() == PAGE);
    }
}
