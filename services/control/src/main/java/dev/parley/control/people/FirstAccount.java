package dev.parley.control.people;

import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;

/** Whether anybody has an account yet. */
@Singleton
@Requires(property = "parley.role.control", value = "true")
public final class FirstAccount {
    private final People people;

    FirstAccount(People people) {
        this.people = people;
    }

    /** Whether the installation has no account besides its built-in administrator. */
    public boolean isMissing() {
        return people.isEmpty();
    }
}
