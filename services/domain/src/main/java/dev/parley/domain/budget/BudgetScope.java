package dev.parley.domain.budget;

import dev.parley.domain.Coded;
import java.util.UUID;

/** The subject of a budget. Rows are locked in the order of the constants. */
public enum BudgetScope implements Coded {
    HOST("the budget of this installation"),
    /** All sessions of a project. */
    PROJECT("the budget of this project"),
    /** A user's turns in all projects. */
    USER("your budget");

    /** Name of the host-level setting. */
    public static final String SETTING = "budget";

    private final String description;

    BudgetScope(String description) {
        this.description = description;
    }

    /** The budget as named to users. */
    String description() {
        return description;
    }

    /** The name of the setting with this budget. */
    public String setting(UUID id) {
        return this == HOST ? SETTING : SETTING + "/" + code() + "/" + id;
    }
}
