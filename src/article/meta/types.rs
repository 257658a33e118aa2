//! [`DeclaredTypes`]: what kinds of thing a page says it is.

/// The schema.org types that a page declares (JSON-LD `@type`, microdata `itemtype`) and its `og:type`, as kinds. Hints:
/// templates declare what they like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "independent statements, any of which may be made")]
pub(crate) struct DeclaredTypes {
    /// `Article` and its kinds (news, blog posting, report), but for technical ones.
    pub(crate) article: bool,
    /// `Product`, `Offer`, `ProductGroup`, `og:type` product.
    pub(crate) product: bool,
    /// `DiscussionForumPosting`, `QAPage`, `Question`.
    pub(crate) discussion: bool,
    /// `ItemList`, `CollectionPage`, `SearchResultsPage`, `Blog`.
    pub(crate) listing: bool,
    /// `TechArticle`, `APIReference`, `SoftwareSourceCode`, `HowTo`.
    pub(crate) documentation: bool,
    /// `Service`, `LocalBusiness` and its commonest kinds.
    pub(crate) service: bool,
    /// `Organization`, `Corporation` and the like.
    pub(crate) organization: bool,
    /// `WebSite`, `og:type` website.
    pub(crate) website: bool,
    /// `WebPage` and no closer kind of page.
    pub(crate) web_page: bool,
    /// `Recipe`, `Event`, `Course`, `JobPosting`, `Book`, `Movie`: a thing with fields.
    pub(crate) entity: bool,
}

impl DeclaredTypes {
    /// Adds a type by its name or address.
    pub(super) fn add_name(&mut self, name: &str) {
        let name = name.rsplit(['/', '#', ':']).next().unwrap_or(name);
        match name {
            "TechArticle" | "APIReference" | "SoftwareSourceCode" | "HowTo" => self.documentation = true,
            "DiscussionForumPosting" | "QAPage" | "Question" => self.discussion = true,
            "Report" => self.article = true,
            "Product" | "ProductGroup" | "Offer" | "AggregateOffer" | "IndividualProduct" => self.product = true,
            "ItemList" | "CollectionPage" | "SearchResultsPage" | "Blog" | "OfferCatalog" => self.listing = true,
            "Service"
            | "ProfessionalService"
            | "LocalBusiness"
            | "FinancialService"
            | "LegalService"
            | "HomeAndConstructionBusiness" => self.service = true,
            "Organization" | "Corporation" | "NewsMediaOrganization" | "EducationalOrganization" => {
                self.organization = true;
            }
            "WebSite" => self.website = true,
            "WebPage" => self.web_page = true,
            "Recipe" | "Event" | "Course" | "JobPosting" | "Book" | "Movie" => self.entity = true,
            _ if is_article(name) => self.article = true,
            _ => {}
        }
    }

    /// Adds an `og:type`.
    pub(super) fn add_open_graph(&mut self, kind: &str) {
        match kind.split('.').next().unwrap_or(kind) {
            "article" => self.article = true,
            "website" | "blog" => self.website = true,
            "product" | "og:product" => self.product = true,
            "book" => self.entity = true,
            _ => {}
        }
    }

    /// Adds what another declares.
    pub(super) fn add(&mut self, other: Self) {
        self.article |= other.article;
        self.product |= other.product;
        self.discussion |= other.discussion;
        self.listing |= other.listing;
        self.documentation |= other.documentation;
        self.service |= other.service;
        self.organization |= other.organization;
        self.website |= other.website;
        self.web_page |= other.web_page;
        self.entity |= other.entity;
    }
}

/// Whether a schema.org type is a kind of article.
pub(super) fn is_article(name: &str) -> bool {
    (name.ends_with("Article") || name.ends_with("Posting") || name == "Report") && name != "JobPosting"
}
