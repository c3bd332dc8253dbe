package dev.parley.domain.bank;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Whose a bank is. */
public enum BankScope {
    /** Everybody's on the host. */
    HOST,
    /** Of all who talk to one agent. */
    AGENT,
    /** Of one person, whatever agent they talk to. */
    USER,
    /** Of one person, as far as they talk to one agent. */
    USER_AGENT;

    /** Its name for clients and in definitions, for example {@code user_agent}. */
    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The scope of this name. */
    public static Optional<BankScope> of(String code) {
        return Arrays.stream(values())
                .filter(scope -> scope.code().equals(code))
                .findFirst();
    }

    /** Whether others than one person see what is in it. */
    public boolean isShared() {
        return this == HOST || this == AGENT;
    }
}
