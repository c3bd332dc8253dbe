package dev.parley.memory.bank;

import dev.parley.domain.RecordKey;
import dev.parley.memory.search.Index;
import dev.parley.memory.search.Indexes;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** The banks that this process owns, whatever partition they are in. */
public final class Banks {
    private final Indexes indexes;
    private final List<Shelf> shelves = new CopyOnWriteArrayList<>();

    public Banks(Indexes indexes) {
        this.indexes = indexes;
    }

    /** An empty shelf for the banks of one partition. It is known here until it is closed. */
    Shelf shelf() {
        var shelf = new Shelf(indexes, shelves::remove);
        shelves.add(shelf);
        return shelf;
    }

    /** The index of a bank that is open here. */
    public Optional<Index> index(RecordKey bank) {
        return shelves.stream().flatMap(shelf -> shelf.index(bank).stream()).findFirst();
    }
}
