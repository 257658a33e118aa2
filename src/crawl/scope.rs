//! Which URLs belong to the site, and which addresses a crawl never touches.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use url::{Host, Url};

use crate::urls::is_web;

/// The hosts of a site.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    /// Host and port (`None` for the default port of the scheme) of every member.
    hosts: Vec<(String, Option<u16>)>,
    /// The name that `--subdomains` looks for at the end of a host.
    above: Option<String>,
}

impl Scope {
    pub(crate) fn new(site: &Url, subdomains: bool) -> Self {
        let above = match site.host() {
            Some(Host::Domain(name)) if subdomains => Some(without_www(name).to_owned()),
            _ => None,
        };
        Self { hosts: host_port(site).into_iter().collect(), above }
    }

    /// Whether the URL is on one of the site's hosts. http and https are one site where both have their default port.
    pub(crate) fn holds(&self, url: &Url) -> bool {
        let Some((host, port)) = host_port(url).filter(|_| is_web(url)) else { return false };
        let below = |above: &String| {
            host.strip_suffix(above.as_str()).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        };
        self.hosts.iter().any(|(h, p)| *h == host && *p == port)
            || (port.is_none() && self.above.as_ref().is_some_and(below))
    }

    /// Takes in the host that the entrance redirects to, if it is the same site by another name: with or without
    /// `www.`, or on another port of the same host. Whether the target belongs to the site now.
    pub(crate) fn widen(&mut self, target: &Url) -> bool {
        if self.holds(target) {
            return true;
        }
        let Some((host, port)) = host_port(target).filter(|_| is_web(target)) else { return false };
        let twin = self.hosts.iter().any(|(h, p)| without_www(h) == without_www(&host) && (*p == port || *h == host));
        if twin {
            self.hosts.push((host, port));
        }
        twin
    }
}

fn host_port(url: &Url) -> Option<(String, Option<u16>)> {
    Some((url.host_str()?.trim_end_matches('.').to_owned(), url.port()))
}

fn without_www(host: &str) -> &str {
    host.strip_prefix("www.").unwrap_or(host)
}

/// The key under which requests are paced: one host and port.
pub(crate) fn host_key(url: &Url) -> String {
    format!("{}:{}", url.host_str().unwrap_or_default(), url.port_or_known_default().unwrap_or_default())
}

/// Whether the URL names an address that only machines near this one can reach, by number or as `localhost`.
pub(crate) fn names_private_host(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => {
            // The last label decides.
            let top = name.trim_end_matches('.').rsplit('.').next();
            matches!(top, Some("localhost" | "local" | "internal"))
        }
        Some(Host::Ipv4(v4)) => is_private(IpAddr::V4(v4)),
        Some(Host::Ipv6(v6)) => is_private(IpAddr::V6(v6)),
        None => false,
    }
}

/// Whether the address is loopback, private, link-local, unspecified, shared (RFC 6598) or multicast.
pub(crate) fn is_private(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => is_private_v4(v4),
        IpAddr::V6(v6) => is_private_v6(v6),
    }
}

fn is_private_v4(v4: Ipv4Addr) -> bool {
    let [a, b, ..] = v4.octets();
    v4.is_loopback()
        || v4.is_private()
        || v4.is_link_local()
        || v4.is_unspecified()
        || v4.is_broadcast()
        || v4.is_multicast()
        || a == 0
        || (a == 100 && (64..128).contains(&b))
}

fn is_private_v6(v6: Ipv6Addr) -> bool {
    let first = v6.segments()[0];
    v6.is_loopback()
        || v6.is_unspecified()
        || v6.is_multicast()
        || (first & 0xfe00) == 0xfc00
        || (first & 0xffc0) == 0xfe80
        || v6.to_ipv4_mapped().is_some_and(is_private_v4)
        // NAT64 and 6to4 carry an IPv4 address inside.
        || (v6.segments()[..6] == [0x64, 0xff9b, 0, 0, 0, 0] && is_private_v4(tail(v6)))
        || (first == 0x2002 && is_private_v4(six_to_four(v6)))
}

fn tail(v6: Ipv6Addr) -> Ipv4Addr {
    let o = v6.octets();
    Ipv4Addr::new(o[12], o[13], o[14], o[15])
}

fn six_to_four(v6: Ipv6Addr) -> Ipv4Addr {
    let o = v6.octets();
    Ipv4Addr::new(o[2], o[3], o[4], o[5])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).expect("test URL")
    }

    #[test]
    fn the_host_is_the_site() {
        let scope = Scope::new(&url("https://example.com/start"), false);
        for (text, want) in [
            ("https://example.com/a", true),
            ("http://EXAMPLE.com/a", true),
            ("http://example.com./a", true),
            ("https://example.com:8443/a", false),
            ("https://www.example.com/a", false),
            ("https://notexample.com/", false),
            ("ftp://example.com/", false),
        ] {
            assert_eq!(scope.holds(&url(text)), want, "{text}");
        }
        assert!(!Scope::new(&url("http://127.0.0.1:8080/"), true).holds(&url("http://127.0.0.1:8081/")));
    }

    #[test]
    fn subdomains_widen_the_site() {
        let scope = Scope::new(&url("https://www.example.com/"), true);
        for (text, want) in [
            ("https://example.com/", true),
            ("http://news.example.com/", true),
            ("http://a.b.example.com/", true),
            ("http://notexample.com/", false),
            ("http://example.com.evil.test/", false),
        ] {
            assert_eq!(scope.holds(&url(text)), want, "{text}");
        }
    }

    #[test]
    fn the_entrance_may_move_to_its_twin() {
        for (site, to, want) in [
            ("http://example.com/", "https://www.example.com/", true),
            ("https://www.example.com/", "https://example.com/", true),
            ("http://example.com/", "https://example.com:8443/", true),
            ("http://example.com/", "https://other.example/", false),
            ("http://example.com/", "https://shop.example.com/", false),
        ] {
            let mut scope = Scope::new(&url(site), false);
            assert_eq!(scope.widen(&url(to)), want, "{site} to {to}");
            assert_eq!(scope.holds(&url(to)), want, "{site} to {to}");
        }
    }

    #[test]
    fn near_addresses_are_told_from_public_ones() {
        for (host, want) in [
            ("localhost", true),
            ("127.1", true),
            ("0x7f000001", true),
            ("10.2.3.4", true),
            ("172.31.0.1", true),
            ("192.168.0.9", true),
            ("169.254.169.254", true),
            ("100.64.0.1", true),
            ("0.0.0.0", true),
            ("[::1]", true),
            ("[::ffff:10.0.0.1]", true),
            ("[fe80::1]", true),
            ("[fd00::1]", true),
            ("[64:ff9b::7f00:1]", true),
            ("metadata.google.internal", true),
            ("8.8.8.8", false),
            ("172.32.0.1", false),
            ("[2001:4860::8888]", false),
            ("example.com", false),
            ("notlocalhost", false),
        ] {
            assert_eq!(names_private_host(&url(&format!("http://{host}/"))), want, "{host}");
        }
    }
}
