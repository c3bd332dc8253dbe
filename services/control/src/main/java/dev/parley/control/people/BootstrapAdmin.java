package dev.parley.control.people;

import dev.parley.control.http.Checks;
import dev.parley.control.people.People.NewPerson;
import jakarta.inject.Singleton;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Adds the first person of a host, its administrator. */
@Singleton
public final class BootstrapAdmin {
    private final People people;
    private final Passwords passwords;

    BootstrapAdmin(People people, Passwords passwords) {
        this.people = people;
        this.passwords = passwords;
    }

    /** The account to be added. */
    public record Administrator(String username, @Nullable String email, String passwordHash) {
        /** Omits secrets. */
        @Override
        public String toString() {
            return "Administrator[" + username + "]";
        }
    }

    /** @throws dev.parley.platform.http.ApiException 400 naming the missing or invalid field */
    public Administrator check(@Nullable String username, @Nullable String email, @Nullable String password) {
        return new Administrator(
                AuthController.username(username),
                Checks.email(email),
                passwords.hash(Checks.requireText("password", password, 1_000)));
    }

    /** @throws dev.parley.platform.http.ApiException 409 where the name or the address is taken */
    public void add(UUID host, Administrator admin, String actor) {
        people.add(
                host,
                new NewPerson(admin.username(), admin.email(), admin.passwordHash(), null, null, null),
                actor,
                true);
    }
}
