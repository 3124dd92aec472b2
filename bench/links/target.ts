/** Where all links of the benchmark lead. */
export const targetUrl = "https://target.example/products/category/widgets";
