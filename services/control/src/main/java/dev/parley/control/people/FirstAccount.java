package dev.parley.control.people;

import jakarta.inject.Singleton;

/** Whether anybody has an account yet. */
@Singleton
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
