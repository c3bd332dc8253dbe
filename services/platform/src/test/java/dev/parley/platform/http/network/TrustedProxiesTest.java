package dev.parley.platform.http.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.micronaut.http.HttpRequest;
import java.net.InetAddress;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which address counts as the client's. */
class TrustedProxiesTest {
    private static final TrustedProxies PROXIES = TrustedProxies.parse("10.0.0.0/8, 192.0.2.7 fd00::/8");

    private static Forwarded read(String peer, String... headers) throws Exception {
        var request = HttpRequest.GET("/");
        for (int i = 0; i < headers.length; i += 2) {
            request.getHeaders().add(headers[i], headers[i + 1]);
        }
        return PROXIES.read(InetAddress.getByName(peer), request.getHeaders());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // peer | X-Forwarded-For | client
                "203.0.113.9 | 198.51.100.1 | 203.0.113.9",
                "203.0.113.9 | 10.0.0.1, 198.51.100.1 | 203.0.113.9",
                "10.0.0.1 | 198.51.100.1 | 198.51.100.1",
                "10.0.0.1 | 6.6.6.6, 198.51.100.1 | 198.51.100.1",
                "10.0.0.1 | 6.6.6.6, 198.51.100.1, 10.9.9.9, 192.0.2.7 | 198.51.100.1",
                "10.0.0.1 | 10.0.0.3, 10.0.0.2 | 10.0.0.3",
                "10.0.0.1 | '' | 10.0.0.1",
                "10.0.0.1 | 198.51.100.1:4711 | 198.51.100.1",
                "10.0.0.1 | [2001:db8::1]:443 | 2001:db8::1",
                "fd00::1 | 2001:db8::1 | 2001:db8::1",
                "10.0.0.1 | ::ffff:198.51.100.1 | 198.51.100.1",
                "10.0.0.1 | 198.51.100.1, unknown | 10.0.0.1",
                "10.0.0.1 | 198.51.100.1, evil.example | 10.0.0.1",
                "10.0.0.1 | 198.51.100.1, fe80::1%eth0 | 10.0.0.1",
                "10.0.0.1 | ,,198.51.100.1,, | 198.51.100.1",
            })
    @Tag("B51")
    void clientIsTheRightmostAddressThatIsNoProxy(String peer, String header, String client) throws Exception {
        assertEquals(
                InetAddress.getByName(client),
                read(peer, "X-Forwarded-For", header).client());
    }

    @Test
    void severalHeadersAreOneList() throws Exception {
        assertEquals(
                InetAddress.getByName("198.51.100.1"),
                read("10.0.0.1", "X-Forwarded-For", "6.6.6.6", "X-Forwarded-For", "198.51.100.1, 10.0.0.9")
                        .client());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "for=198.51.100.1;proto=https;host=parley.example.com | 198.51.100.1 | https | [parley.example.com]",
                "For=\"198.51.100.1:80\" | 198.51.100.1 | | []",
                "for=\"[2001:db8::1]:4711\";proto=http | 2001:db8::1 | http | []",
                "for=6.6.6.6;proto=https, for=198.51.100.1 | 198.51.100.1 | | []",
                "for=198.51.100.1, for=10.0.0.2;host=a;proto=HTTPS | 198.51.100.1 | https | [a]",
                "for=198.51.100.1, proto=https | 10.0.0.1 | https | []",
                "for=_hidden | 10.0.0.1 | | []",
                "for=\"6.6.6.6, for=9.9.9.9\" | 10.0.0.1 | | []",
                "for=\"198.51.100.1 | 10.0.0.1 | | []",
            })
    void standardHeaderIsRead(String header, String client, String scheme, String hosts) throws Exception {
        Forwarded read = read("10.0.0.1", "Forwarded", header);
        assertEquals(InetAddress.getByName(client), read.client());
        assertEquals(scheme, read.scheme());
        assertEquals(hosts, read.hosts().toString());
    }

    @Test
    @Tag("B51")
    void headersThatDisagreeAreNotBelieved() throws Exception {
        // Given a proxy that maintains one header and passes the other one on as the client sent it
        var agreeing = read("10.0.0.1", "X-Forwarded-For", "198.51.100.1", "Forwarded", "for=198.51.100.1");
        var disagreeing = read("10.0.0.1", "X-Forwarded-For", "6.6.6.6", "Forwarded", "for=198.51.100.1");

        // Then
        assertEquals(InetAddress.getByName("198.51.100.1"), agreeing.client());
        assertEquals(InetAddress.getByName("10.0.0.1"), disagreeing.client());
    }

    @Test
    void nobodyElseChangesSchemeAndHost() throws Exception {
        Forwarded read =
                read("203.0.113.9", "X-Forwarded-Proto", "https", "X-Forwarded-Host", "a", "Forwarded", "host=b");
        assertEquals(Forwarded.none(InetAddress.getByName("203.0.113.9")), read);
        assertEquals(
                List.of("b", "a", "c"),
                read("10.0.0.1", "X-Forwarded-Host", "a, c", "Forwarded", "host=b")
                        .hosts());
        assertEquals(
                "http", read("10.0.0.1", "X-Forwarded-Proto", "https, http").scheme());
    }

    @Test
    @Tag("B51")
    void aClientNeverChoosesItsAddress() throws Exception {
        // Given a client behind a proxy, which writes anything into the headers that it can reach
        var random = new Random(51);
        String[] pieces = {"10.0.0.1", "6.6.6.6", ",", ";", "for=", "\"", "unknown", " ", "[::1]", "\\", "fd00::9", "="
        };
        for (int i = 0; i < 5_000; i++) {
            var text = new StringBuilder();
            for (int n = random.nextInt(12); n > 0; n--) {
                text.append(pieces[random.nextInt(pieces.length)]);
            }

            // When the proxy appends the true address
            Forwarded read = read("10.0.0.1", "X-Forwarded-For", (text + ", 198.51.100.1").strip());

            // Then
            assertEquals(InetAddress.getByName("198.51.100.1"), read.client(), text.toString());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"proxy.example.com", "10.0.0.0/33", "10.0.0/8", "10.0.0.1/", "10.0.0.1/x"})
    void invalidNetworksAreRefused(String text) {
        assertThrows(IllegalArgumentException.class, () -> TrustedProxies.parse(text));
    }
}
