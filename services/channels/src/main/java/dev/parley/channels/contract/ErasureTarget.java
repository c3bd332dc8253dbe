package dev.parley.channels.contract;

import dev.parley.domain.access.AccessRecord.Account;
import dev.parley.domain.access.AccessRecord.Project;

/** Stored data that is removed with the people and projects that it belongs to. A removal can be repeated. */
public interface ErasureTarget {

    /** @return number of removed rows */
    default long erase(Account person) {
        return 0;
    }

    /** @return number of removed rows */
    long erase(Project project);
}
