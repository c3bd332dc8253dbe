package dev.parley.memory.api;

import dev.parley.memory.api.BankService.Doing;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.Page;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Pages of the units of a bank. */
@Singleton
final class UnitPages {
    private final BankService service;
    private final MemoryUnitRows units;

    UnitPages(BankService service, MemoryUnitRows units) {
        this.service = service;
        this.units = units;
    }

    Page<UnitJson> page(
            Caller caller,
            UUID bank,
            UnitFilter filter,
            @Nullable Boolean fresh,
            @Nullable Integer limit,
            @Nullable String cursor) {
        int pageSize = Cursor.limit(limit);
        Cursor after = Cursor.parse(cursor);
        Bank found = service.bank(caller, bank, Doing.READ);
        service.freshen(fresh);
        List<UnitJson> rows = service.list(found, () -> units.page(found, filter, after, pageSize + 1));
        return Page.of(rows, pageSize, row -> row, row -> Cursor.of(row.date(), row.id()));
    }
}
